/** Waiting for work, and not for ever. */

// Not the global ones: a test's fake timers would stop them.
import { clearTimeout, setTimeout } from "node:timers";

/** Whether the work ended in time; a failure is an end too. */
export async function within(seconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<boolean>((resolve) => timer = setTimeout(resolve, seconds * 1000, false));
  const ended = await Promise.race([work.then(() => true, () => true), limit]);
  clearTimeout(timer);
  return ended;
}
