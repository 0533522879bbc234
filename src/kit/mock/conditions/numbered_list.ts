/** Lists what is on, with an id for each entry. A test holds its entries in variables, and other callers name them by id. */

import { withGetters } from "../../../ground/values/with_getters.ts";

export interface Numbered {
  /** The kind and a number, for example `gate-1`. */
  readonly id: string;
}

export interface NumberedList<T extends Numbered> {
  /** The entries, the oldest first. */
  readonly all: readonly T[];
  add<E extends T>(create: (id: string) => E): E;
  remove(id: string): void;
}

/** The ids begin with `kind`. */
export function createNumberedList<T extends Numbered>(kind: string): NumberedList<T> {
  const entries = new Map<string, T>();
  let lastNumber = 0;
  return withGetters({
    add<E extends T>(create: (id: string) => E) {
      const entry = create(`${kind}-${++lastNumber}`);
      entries.set(entry.id, entry);
      return entry;
    },
    remove: (id: string) => void entries.delete(id),
  }, { all: () => [...entries.values()] });
}
