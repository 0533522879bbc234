/** Waits for a promise with a time limit, in real time, even if a test has replaced the timers. */

import { startRealTimer } from "./real_timer.ts";

/** Resolves to whether the work ended in time, with success or failure. */
export function within(seconds: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = startRealTimer(seconds, () => resolve(false));
    const end = () => {
      stop();
      resolve(true);
    };
    work.then(end, end);
  });
}
