/** The faults of one area, with what most of them share written once. */

import type { Misbehaviour } from "./misbehaviour.ts";
import type { Area, FaultOf } from "./names.ts";

export type FaultsOf<A extends Area> = Readonly<Record<FaultOf<A>, Misbehaviour>>;

/** An entry may have values of its own in place of the usual ones. */
type Entry<Usual> = Omit<Misbehaviour, keyof Usual> & Partial<Misbehaviour>;

/** The end of the rule of faults that only the signature of an ID token shows. */
export const maySkipSignature =
  "OpenID Connect Core §3.1.3.7 (6): the client may skip the signature, because the token came directly from the server over TLS";

export function faultsOf<A extends Area, Usual extends Partial<Misbehaviour>>(
  _area: A,
  usual: Usual,
  entries: { readonly [Fault in FaultOf<A>]: Entry<Usual> },
): FaultsOf<A> {
  const all = Object.entries<Entry<Usual>>(entries).map(([fault, entry]) => [fault, { ...usual, ...entry }]);
  return Object.fromEntries(all);
}
