/** Terms as a test wrote them: in JavaScript a misspelt name would be left out silently, and the test prove nothing. */

import { describeValue } from "./duration.ts";

/** Every name of the terms: one that is forgotten here does not compile. */
export function namesOf<Terms>(names: Record<keyof Terms, true>): readonly string[] {
  return Object.keys(names);
}

/** `doing` continues "Cannot". */
export function requireKnownTerms(doing: string, terms: unknown, known: readonly string[]): void {
  if (typeof terms !== "object" || terms === null || Array.isArray(terms)) {
    throw new TypeError(
      `Cannot ${doing} with ${describeValue(terms)}: expected an object, and in it ${known.join(", ")}`,
    );
  }
  const unknown = Object.keys(terms).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new TypeError(`Cannot ${doing} with ${unknown.join(", ")}: known are ${known.join(", ")}`);
}
