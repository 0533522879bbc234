/** The calls of a store in Postgres: each is tried again for a bounded time, and the end of the store waits for them. */
import { deadlineIn, pause } from "../deadline.ts";
import { StoreUnavailable } from "../store.ts";
import { chooseFailure, codeOf, describeFailure, isTransient, StatementFailed } from "./failure.ts";
import type { PostgresAddress } from "./read_postgres_url.ts";

const longestPause = 250;

export interface Calls {
  /**
   * Makes one call of the store: runs `attempt` until it succeeds, for a bounded time. An attempt must be safe to repeat.
   * Rejects with `StoreUnavailable` if the database did not do it.
   */
  make<T>(attempt: (deadline: number) => Promise<T>): Promise<T>;
  /** Refuses further calls, and waits for those that run. */
  end(): Promise<void>;
}

export function createCalls(
  { timeout, shown, address }: {
    readonly timeout: number;
    readonly shown: string;
    readonly address: PostgresAddress | undefined;
  },
): Calls {
  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  async function repeat<T>(attempt: (deadline: number) => Promise<T>): Promise<T> {
    const deadline = deadlineIn(timeout);
    let failure: unknown;
    for (let wait = 5;; wait = Math.min(2 * wait, longestPause)) {
      try {
        return await attempt(deadline);
      } catch (error) {
        if (!(error instanceof StatementFailed)) throw error;
        failure = chooseFailure(failure, error);
        const mayRetry = isTransient(error) && performance.now() + wait < deadline;
        if (!mayRetry) throw describeCall(failure, shown, address);
      }
      // A random part, so that processes that failed together do not come back together.
      await pause(wait * (0.5 + Math.random() / 2));
    }
  }

  return {
    async make(attempt) {
      if (isClosed) throw new StoreUnavailable("The store is closed");
      const call = repeat(attempt);
      running.add(call);
      try {
        return await call;
      } finally {
        running.delete(call);
      }
    },
    async end() {
      isClosed = true;
      await Promise.allSettled(running);
    },
  };
}

/** Data that Postgres cannot hold is the caller's mistake. Every other failure is that of the database. */
function describeCall(error: unknown, shown: string, address: PostgresAddress | undefined): Error {
  const reason = describeFailure(error, address);
  if (/^(22|54)/.test(codeOf(error))) return new TypeError(`Cannot put a record: ${reason}`);
  return new StoreUnavailable(`The store "${shown}" does not work now: ${reason}`);
}
