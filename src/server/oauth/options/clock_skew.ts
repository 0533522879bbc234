/** How far the clocks of clients and of several servers on one store may differ, and how lifetimes allow for it. */

/**
 * In seconds. Within this difference, nothing valid is refused. Within twice this difference, for example if one server
 * is ahead and another one behind, nothing is accepted twice.
 */
export const clockSkew = 60;

/**
 * In seconds. A record whose absence would let the server accept something, for example the mark of a used assertion,
 * stays this much longer than the thing itself is valid. The server whose clock is behind then still finds the record.
 */
export const markMargin: number = 2 * clockSkew;

interface OwnClock {
  readonly now: () => number;
  readonly clock: string;
}

/** A record with times, and the id of the clock that they come from. Absent: the clock of this server. */
export interface Timed {
  readonly clock?: string;
}

/**
 * Returns the time for comparing with the times of a record. A server measures what it began to the second. If another
 * server began it, the other clock may be behind this one, so the lifetime ends later here by the allowed difference.
 */
export function timeFor({ clock }: Timed, own: OwnClock): number {
  return isForeign({ clock }, own) ? own.now() - clockSkew : own.now();
}

export function isForeign(
  { clock }: { readonly clock?: string | undefined },
  own: Pick<OwnClock, "clock">,
): boolean {
  return clock !== undefined && clock !== own.clock;
}

/** Text for a refusal that a wrong clock may cause. Empty if the times come from the clock of this server. */
export function describeForeignClock(timed: Timed, own: Pick<OwnClock, "clock">): string {
  return isForeign(timed, own)
    ? "; another server on this store set this time, so one of the two clocks may be wrong"
    : "";
}
