/** Compares the clock of this machine with the clock of the store, once at the start. */

import { clockSkew } from "../../server/oauth/clock_skew.ts";
import { formatDuration } from "../../server/schema/duration.ts";
import type { Store } from "../../server/store/store.ts";

const consequence =
  `if the clocks of two servers on this store differ by more than ${clockSkew} seconds, they may ` +
  "refuse each other's codes, forms and tokens";

/** The server starts nevertheless, because no record depends on the clock of the store. */
export async function warnOfClock(
  store: Pick<Store, "clock">,
  now: () => number,
  warn: (message: string) => void,
): Promise<void> {
  if (store.clock === undefined) return;
  const asked = now();
  const time = await store.clock().catch(() => null);
  if (time === null) return;
  if (time === undefined) {
    return warn(
      "Could not compare the clock of this machine with the clock of the store, because the store does not tell " +
        `its time. Set the clocks of all servers on this store by NTP: ${consequence}`,
    );
  }
  // The store has read its clock at some time between the question and the answer.
  const answered = now();
  const ahead = time > answered ? time - answered : 0;
  const behind = time < asked ? asked - time : 0;
  const difference = Math.max(ahead, behind);
  if (difference <= clockSkew) return;
  warn(
    `The clock of this machine is ${formatDuration(difference)} ${ahead > 0 ? "behind" : "ahead of"} ` +
      `the clock of the store. Set both by NTP: ${consequence}`,
  );
}
