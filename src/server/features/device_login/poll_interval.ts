/** Counts the polls of a device, which must keep an interval (RFC 8628 §3.5). */

import { type Kind, limitAttempts } from "../../store/store.ts";
import type { Services } from "../../oauth/contracts/feature.ts";

/** In seconds. */
export const firstInterval = 5;

// RFC 8628 §3.5: each poll that comes too early makes the interval longer, for this and all later polls.
const addedInterval = 5;

/** In seconds. Timers of clients are not exact, and some polls are faster on their way than others. */
const tolerance = 0.5;

/** The last poll of a device. A record of its own, so that polls never change a grant. */
interface Polls {
  readonly polledAt: number;
  readonly interval: number;
}

const polls: Kind<Polls> = { name: "device_polls" };

export interface CountedPoll {
  /** In seconds. */
  readonly interval: number;
  /** How many seconds after the last poll it came, if that is too early. */
  readonly tooEarly?: number;
}

/** Counts a poll. The put is conditional: of two simultaneous polls, the second one comes too early. */
export async function countPoll(
  id: string,
  expiresAt: number,
  { store, now }: Services,
): Promise<CountedPoll> {
  for (const retry = limitAttempts();; retry()) {
    const entry = await store.get(polls, id, now());
    const polledAt = now();
    const counted = judge(entry?.value, polledAt);
    const terms = { expiresAt, now: polledAt, if: entry?.version ?? null };
    const value = { polledAt, interval: counted.interval };
    if (await store.put(polls, id, value, terms) !== undefined) return counted;
  }
}

function judge(last: Polls | undefined, now: number): CountedPoll {
  if (last === undefined) return { interval: firstInterval };
  const waited = now - last.polledAt;
  // A negative time: the clock was set back.
  const isTooEarly = waited >= 0 && waited < last.interval - tolerance;
  return isTooEarly
    ? { interval: last.interval + addedInterval, tooEarly: waited }
    : { interval: last.interval };
}
