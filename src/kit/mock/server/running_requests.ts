/** Tracks the running requests, so that closing waits for them, with a time limit. */

import { withGetters } from "../../../ground/values/with_getters.ts";
import { within } from "../../../server/runtime/real_timer.ts";

export interface RunningRequests {
  readonly isBusy: boolean;
  /** How many requests have begun. */
  readonly begun: number;
  /** Tracks `work` until it settles. The error of `finish` shows `name` if `work` does not settle in time. */
  run<T>(name: string, work: Promise<T>): Promise<T>;
  /** Waits for all tracked requests. Rejects after three seconds. The error begins with "Cannot " and `doing`. */
  finish(doing: string): Promise<void>;
  /** Removes all tracked requests, so that `finish` does not wait for them. */
  forget(): void;
}

// Seconds of real time. Test runners give up after five seconds or more, so the test sees this error first.
const closeTimeout = 3;

export function createRunningRequests(): RunningRequests {
  const running = new Map<Promise<unknown>, string>();
  let begun = 0;
  const requests: Omit<RunningRequests, "isBusy" | "begun"> = {
    async run(name, work) {
      begun++;
      running.set(work, name);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    async finish(doing) {
      if (running.size === 0 || await within(closeTimeout, Promise.allSettled(running.keys()))) return;
      const names = [...new Set(running.values())].join(", ");
      throw new Error(
        `Cannot ${doing}, because these requests are still running: ${names}. ` +
          "Check for a hook that does not return or a request body that does not end",
      );
    },
    forget: () => running.clear(),
  };
  return withGetters(requests, { isBusy: () => running.size > 0, begun: () => begun });
}
