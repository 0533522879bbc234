/** Delays requests with the global `setTimeout`, so a test runner's fake timers control the delays. */

import type { EndpointName } from "../endpoints.ts";
import { toMilliseconds } from "../terms/duration.ts";
import { type Limited, takeLimited } from "./limited.ts";

export interface Delays {
  /** Adds a delay. Disposing of the delay also ends it for the requests that already wait. */
  add(endpoint: EndpointName, count: number, seconds: number): Delay;
  /** Waits for the delay of a request. Returns `undefined` if no delay applies to the request. */
  wait(endpoint: EndpointName): Promise<void> | undefined;
  clear(): void;
}

export interface Delay extends Limited {
  readonly milliseconds: number;
  /** Functions that each end the wait of one request. */
  readonly waiting: Set<() => void>;
}

export function createDelays(): Delays {
  const delays = new Set<Delay>();

  function end(delay: Delay): void {
    delays.delete(delay);
    for (const endWait of [...delay.waiting]) endWait();
  }

  return {
    add(endpoint, count, seconds) {
      const milliseconds = toMilliseconds(seconds);
      const delay: Delay = {
        endpoint,
        milliseconds,
        remaining: count,
        used: 0,
        waiting: new Set(),
        [Symbol.dispose]: () => end(delay),
      };
      delays.add(delay);
      return delay;
    },
    wait(endpoint) {
      const delay = takeLimited(delays, endpoint);
      return delay === undefined ? undefined : waitFor(delay);
    },
    clear() {
      for (const delay of [...delays]) end(delay);
    },
  };
}

function waitFor({ milliseconds, waiting }: Delay): Promise<void> {
  // Read together, because clearTimeout must come from the same implementation as setTimeout. A test runner may
  // replace both while a request waits.
  const { setTimeout, clearTimeout } = globalThis;
  return new Promise((resolve) => {
    const endWait = () => {
      clearTimeout(timer);
      waiting.delete(endWait);
      resolve();
    };
    const timer = setTimeout(endWait, milliseconds);
    waiting.add(endWait);
  });
}
