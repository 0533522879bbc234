/** Stores objects under ids. Tests in TypeScript hold these objects in variables, but HTTP callers need ids. */

import type { Numbered } from "../../kit/mock/conditions/numbered_list.ts";
import { describeKnown } from "../../ground/schema/nearest.ts";
import { ControlRefused } from "./control_refused.ts";

export interface Registry<T> {
  add(entry: T): string;
  require(id: string): T;
  remove(id: string): T;
  list(): readonly (readonly [id: string, entry: T])[];
  clear(): void;
}

export function requireNumbered<T extends Numbered>(kind: string, id: string, entries: readonly T[]): T {
  const entry = entries.find((each) => each.id === id);
  if (entry !== undefined) return entry;
  throw unknownId(kind, id, entries.map((each) => each.id));
}

function unknownId(kind: string, id: string, known: readonly string[]): ControlRefused {
  return new ControlRefused(
    "not_found",
    `There is no ${kind} ${JSON.stringify(id)}: ${describeKnown(known)}`,
  );
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
