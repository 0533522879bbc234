/** Stores objects under ids. Tests in TypeScript hold these objects in variables, but HTTP callers need ids. */

import { unknownId } from "../guard/require_numbered.ts";

export interface Registry<T> {
  add(entry: T): string;
  require(id: string): T;
  remove(id: string): T;
  list(): readonly (readonly [id: string, entry: T])[];
  clear(): void;
}

/** The ids begin with `kind`, for example `gate-1`. */
export function createRegistry<T>(kind: string): Registry<T> {
  const entries = new Map<string, T>();
  // Not reset by clear(), so that an old id never refers to another entry.
  let lastNumber = 0;

  function requireEntry(id: string): T {
    const entry = entries.get(id);
    if (entry !== undefined) return entry;
    throw unknownId(kind, id, [...entries.keys()]);
  }

  return {
    add(entry) {
      const id = `${kind}-${++lastNumber}`;
      entries.set(id, entry);
      return id;
    },
    require: requireEntry,
    remove(id) {
      const entry = requireEntry(id);
      entries.delete(id);
      return entry;
    },
    list: () => [...entries],
    clear: () => entries.clear(),
  };
}
