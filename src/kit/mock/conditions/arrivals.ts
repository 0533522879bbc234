/** Counts the requests that arrive at a gate, so that a test can wait for them. */

import { allowUnhandled, type Ending, waitFor } from "../../../server/runtime/real_timer.ts";
import type { EndpointName } from "../endpoints.ts";

export interface Arrivals {
  /** Counts a request and returns its number. The first request has the number 1. */
  add(): number;
  /** Resolves when `wanted` requests have arrived. Rejects after `seconds` of real time, or when the gate ends. */
  reach(wanted: number, seconds: number): Promise<void>;
  /** Rejects all waiting calls. `reason` is a clause for their errors, for example "the mock was reset". */
  end(reason: string): void;
}

interface Waiter extends Ending<void> {
  readonly wanted: number;
  readonly createError: (reason: string) => Error;
}

export function createArrivals(endpoint: EndpointName): Arrivals {
  const waiters = new Set<Waiter>();
  let count = 0;
  let ended: string | undefined;

  const describeCount = () => `${count === 0 ? "none" : count} arrived`;
  const describeEnd = () => `${ended}, and until then ${describeCount()}`;

  function wait(wanted: number, seconds: number): Promise<void> {
    const requests = `${wanted} ${wanted === 1 ? "request" : "requests"} to "${endpoint}"`;
    const createError = (reason: string) => new Error(`Waited at the gate for ${requests}: ${reason}`);
    if (ended !== undefined) return allowUnhandled(Promise.reject(createError(describeEnd())));
    return waitFor({
      seconds,
      createLate: () =>
        createError(
          `${seconds} seconds are over, and ${describeCount()}. Start the requests before awaiting arrived(), ` +
            "and await their answers after release()",
        ),
    }, (ending) => {
      const waiter: Waiter = { ...ending, wanted, createError };
      waiters.add(waiter);
      return () => waiters.delete(waiter);
    });
  }

  return {
    add() {
      count++;
      for (const { wanted, resolve } of [...waiters]) if (wanted <= count) resolve();
      return count;
    },
    reach: (wanted, seconds) => count >= wanted ? Promise.resolve() : wait(wanted, seconds),
    end(reason) {
      ended ??= reason;
      for (const { reject, createError } of [...waiters]) reject(createError(describeEnd()));
    },
  };
}
