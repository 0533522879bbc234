/** Counts how many requests have each value that the filter line can name: each client, each reason. */

import { redactText } from "../../../server/oauth/secrets/redaction.ts";
import { visible } from "../../../ground/values/visible.ts";
import { type CountedName, readValues } from "./filter.ts";
import type { KeptEntry } from "./request_list.ts";

export interface ValueCounts<Name extends CountedName> {
  add(kept: KeptEntry): void;
  remove(kept: KeptEntry): void;
  of(name: Name, value: string): number;
  /** The most frequent first. */
  list(name: Name): ReadonlyMap<string, number>;
}

// More than a person reads.
const mostValues = 100;
// In characters. A longer value leaves no place for other words in the line.
const longestValue = 200;

export function createValueCounts<Name extends CountedName>(names: readonly Name[]): ValueCounts<Name> {
  const counts = new Map<Name, Map<string, number>>(names.map((name) => [name, new Map()]));

  function change(kept: KeptEntry, by: 1 | -1): void {
    for (const [name, values] of counts) {
      for (const value of readValues(name, kept)) {
        const count = (values.get(value) ?? 0) + by;
        if (count === 0) values.delete(value);
        else values.set(value, count);
      }
    }
  }

  return {
    add: (kept) => change(kept, 1),
    remove: (kept) => change(kept, -1),
    of: (name, value) => counts.get(name)!.get(value) ?? 0,
    list: (name) =>
      new Map(
        [...counts.get(name)!].filter(([value]) => canBeNamed(value))
          .toSorted(([, left], [, right]) => right - left).slice(0, mostValues),
      ),
  };
}

function canBeNamed(value: string): boolean {
  return value !== "" && value.length <= longestValue && !value.includes('"') &&
    visible(value) === value && redactText(value) === value;
}
