/** Delays requests with the global `setTimeout`, so a test runner's fake timers control the delays. */

import { toMilliseconds } from "../terms/duration.ts";

export interface Delay {
  readonly waiting: number;
  wait(): Promise<void>;
  end(): void;
}

export function createDelay(seconds: number): Delay {
  const waiting = new Set<() => void>();
  return {
    get waiting() {
      return waiting.size;
    },
    wait() {
      // Read together: a test runner may replace both while a request waits, and they must belong together.
      const { setTimeout, clearTimeout } = globalThis;
      return new Promise((resolve) => {
        const endWait = () => {
          clearTimeout(timer);
          waiting.delete(endWait);
          resolve();
        };
        const timer = setTimeout(endWait, toMilliseconds(seconds));
        waiting.add(endWait);
      });
    },
    end() {
      for (const endWait of [...waiting]) endWait();
    },
  };
}
