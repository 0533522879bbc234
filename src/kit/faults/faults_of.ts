/** The faults of one area, with what most of them share written once. */

import { isTolerance, type Misbehaviour, type Tolerance } from "./misbehaviour.ts";
import type { Area, FaultOf } from "./names.ts";

export type FaultsOf<A extends Area> = Readonly<Record<FaultOf<A>, Misbehaviour>>;

/** The values of most faults of an area. `tolerated` are those of the faults where a correct client goes on. */
interface Usual extends Partial<Misbehaviour> {
  readonly tolerated?: Partial<Misbehaviour>;
}

/** An entry may have values of its own in place of the usual ones. */
type Entry<U extends Usual> =
  | Omit<Misbehaviour, keyof U> & Partial<Misbehaviour>
  | { readonly level: Tolerance }
    & Omit<Misbehaviour, keyof U | keyof U["tolerated"]>
    & Partial<Misbehaviour>;

/** The end of the rule of faults that only the signature of an ID token shows. */
export const maySkipSignature =
  "OpenID Connect Core §3.1.3.7 (6): the client may skip the signature, because the token came directly from the server over TLS";

/** The end of the rule of faults that only a leeway of more than a few minutes accepts. */
export const fewMinutes =
  "a leeway is usually no more than a few minutes, but no rule says how many it may have";

export function faultsOf<A extends Area, U extends Usual>(
  _area: A,
  { tolerated, ...usual }: U,
  entries: { readonly [Fault in FaultOf<A>]: Entry<U> },
): FaultsOf<A> {
  const all = Object.entries<Entry<U>>(entries).map(([fault, entry]) => {
    const { level = usual.level } = entry;
    return [fault, { ...usual, ...(level !== undefined && isTolerance(level) ? tolerated : {}), ...entry }];
  });
  return Object.fromEntries(all);
}
