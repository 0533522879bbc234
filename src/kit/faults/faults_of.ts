/** The faults of one area, with what most of them share written once. */

import type { Misbehaviour } from "./misbehaviour.ts";
import type { Area, FaultOf } from "./names.ts";

/** The misbehaviours of an area, by their faults. */
export type FaultsOf<A extends Area> = Readonly<Record<FaultOf<A>, Misbehaviour>>;

/** What an entry needs beside the usual values of its area. It may have values of its own in place of those. */
type Entry<Usual> = Omit<Misbehaviour, keyof Usual> & Partial<Misbehaviour>;

/** Adds the usual values of the area to each entry. */
export function faultsOf<A extends Area, Usual extends Partial<Misbehaviour>>(
  _area: A,
  usual: Usual,
  entries: { readonly [Fault in FaultOf<A>]: Entry<Usual> },
): FaultsOf<A> {
  const all = Object.entries<Entry<Usual>>(entries).map(([fault, entry]) => [fault, { ...usual, ...entry }]);
  return Object.fromEntries(all);
}
