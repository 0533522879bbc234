/** Delays of requests, by the global timers and so by a test runner's fake ones. */

import type { EndpointName } from "../endpoints.ts";
import { toMilliseconds } from "../terms/duration.ts";
import { type Limited, takeLimited } from "./limited.ts";

export interface Delays {
  /** Disposed of, it ends for the requests that wait as well. */
  add(endpoint: EndpointName, count: number, seconds: number): Disposable;
  /** `undefined`: no delay applies to the request. */
  wait(endpoint: EndpointName): Promise<void> | undefined;
  clear(): void;
}

interface Delay extends Limited {
  readonly milliseconds: number;
  /** Each ends the wait of one request. */
  readonly waiting: Set<() => void>;
}

export function createDelays(): Delays {
  const delays = new Set<Delay>();

  function end(delay: Delay): void {
    delays.delete(delay);
    for (const go of [...delay.waiting]) go();
  }

  return {
    add(endpoint, count, seconds) {
      const milliseconds = toMilliseconds(seconds);
      const delay: Delay = { endpoint, left: count, milliseconds, waiting: new Set() };
      delays.add(delay);
      return { [Symbol.dispose]: () => end(delay) };
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
  // Looked up now: the same implementation must clear the timer, even if a runner has replaced it since.
  const { setTimeout, clearTimeout } = globalThis;
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      waiting.delete(go);
      resolve();
    };
    const timer = setTimeout(go, milliseconds);
    waiting.add(go);
  });
}
