/** The calls of a store in Postgres: each is tried again for a bounded time, and the end of the store waits for them. */
import { createRetryPause } from "../deadline.ts";
import { StoreUnavailable } from "../store.ts";
import { createTimeLimits, type TimeLimits } from "../time_limits.ts";
import { chooseFailure, codeOf, describeFailure, isTransient, StatementFailed } from "./failure.ts";
import type { PostgresAddress } from "./read_postgres_url.ts";

export interface Calls {
  /** Runs `attempt`, which must be safe to repeat, until it succeeds. After a bounded time, rejects with `StoreUnavailable`. */
  make<T>(attempt: (deadline: number) => Promise<T>): Promise<T>;
  readonly forRequest: TimeLimits["forRequest"];
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
  const limits = createTimeLimits(timeout);
  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  async function repeat<T>(attempt: (deadline: number) => Promise<T>, deadline: number): Promise<T> {
    const pauseBeforeRetry = createRetryPause(deadline);
    let failure: unknown;
    while (true) {
      try {
        return await attempt(deadline);
      } catch (error) {
        if (!(error instanceof StatementFailed)) throw error;
        failure = chooseFailure(failure, error);
        if (!isTransient(error) || !await pauseBeforeRetry()) throw describeCall(failure, shown, address);
      }
    }
  }

  return {
    async make(attempt) {
      if (isClosed) throw new StoreUnavailable("The store is closed");
      const call = limits.forCall((deadline) => repeat(attempt, deadline));
      running.add(call);
      try {
        return await call;
      } finally {
        running.delete(call);
      }
    },
    forRequest: limits.forRequest,
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
