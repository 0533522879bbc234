/** Delays requests with the global `setTimeout`, so a test runner's fake timers control the delays. */

import { toMilliseconds } from "../terms/duration.ts";

export interface Delay {
  /** How many requests are waiting now. */
  readonly waiting: number;
  /** Waits as long as one request has to. */
  wait(): Promise<void>;
  /** Ends all waits. */
  end(): void;
}

export function createDelay(seconds: number): Delay {
  const milliseconds = toMilliseconds(seconds);
  /** Functions that each end the wait of one request. */
  const waiting = new Set<() => void>();
  return {
    get waiting() {
      return waiting.size;
    },
    wait() {
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
    },
    end() {
      for (const endWait of [...waiting]) endWait();
    },
  };
}
