/** Tracks the running requests, so that closing waits for them, with a time limit. */

import { within } from "../../../server/runtime/real_timer.ts";

interface RunningRequests {
  readonly isBusy: boolean;
  /** Tracks `work` until it settles. The error of `finish` shows `name` if `work` does not settle in time. */
  run<T>(name: string, work: Promise<T>): Promise<T>;
  /** Waits for all tracked requests. Rejects after three seconds. `closing` names the closed object in the error. */
  finish(closing: string): Promise<void>;
  /** Removes all tracked requests, so that `finish` does not wait for them. */
  forget(): void;
}

// Seconds of real time. Test runners give up after five seconds or more, so the test sees this error first.
const closeTimeout = 3;

export function createRunningRequests(): RunningRequests {
  const running = new Map<Promise<unknown>, string>();
  return {
    get isBusy() {
      return running.size > 0;
    },
    async run(name, work) {
      running.set(work, name);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    async finish(closing) {
      if (running.size === 0 || await within(closeTimeout, Promise.allSettled(running.keys()))) return;
      const names = [...new Set(running.values())].join(", ");
      throw new Error(
        `Cannot close the ${closing}, because these requests are still running: ${names}. ` +
          "Check for a hook that does not return or a request body that does not end",
      );
    },
    forget: () => running.clear(),
  };
}
