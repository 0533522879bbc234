/** Waits for work, but not for ever. */

import { startRealTimer } from "./real_timer.ts";

/** Whether the work ended in time, with success or failure. */
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
