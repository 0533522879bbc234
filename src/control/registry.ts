/** Things that a test in TypeScript holds in its hand, kept under ids for tests in other languages. */

import { describeKnown } from "../schema/nearest.ts";
import { ControlRefused } from "./control_refused.ts";

export interface Registry<T> {
  /** Gives the thing a new id. */
  add(thing: T): string;
  require(id: string): T;
  remove(id: string): T;
  list(): readonly (readonly [id: string, thing: T])[];
  clear(): void;
}

/** `kind` begins the ids: `gate-1`. */
export function createRegistry<T>(kind: string): Registry<T> {
  const things = new Map<string, T>();
  // Goes on after a reset, so that an old id never means another thing.
  let lastNumber = 0;

  function requireThing(id: string): T {
    const thing = things.get(id);
    if (thing !== undefined) return thing;
    const known = describeKnown([...things.keys()]);
    throw new ControlRefused("not_found", `There is no ${kind} ${JSON.stringify(id)}: ${known}`);
  }

  return {
    add(thing) {
      const id = `${kind}-${++lastNumber}`;
      things.set(id, thing);
      return id;
    },
    require: requireThing,
    remove(id) {
      const thing = requireThing(id);
      things.delete(id);
      return thing;
    },
    list: () => [...things],
    clear: () => things.clear(),
  };
}
