/** A value of a learned configuration with its origin, and the JSON with comments that both become. */

import { escapeHidden } from "../../../ground/values/hidden_characters.ts";

/** `from` says in our words where the value comes from. It becomes a comment, so it never has text of others. */
export type Part =
  & { readonly from: string }
  & ({ readonly value: unknown } | { readonly items: readonly Part[] } | { readonly members: Parts });

/** A member that is left out is absent. */
export type Parts = Readonly<Record<string, Part | undefined>>;

/** Returns nothing for a value that is absent, or a list that is empty. */
export function part(value: unknown, from: string): Part | undefined {
  return value === undefined || Array.isArray(value) && value.length === 0 ? undefined : { value, from };
}

/** Returns the members of an object with one origin. */
export function partsOf(values: object, from: string): Parts {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, part(value, from)]));
}

/** Returns nothing for an empty list. */
export function listOf(items: readonly Part[], from: string): Part | undefined {
  return items.length === 0 ? undefined : { items, from };
}

/** Returns nothing if all members are absent. */
export function objectOf(members: Parts, from: string): Part | undefined {
  return Object.values(members).every((each) => each === undefined) ? undefined : { members, from };
}

/** Returns the lines of a text, and the text of others only in JSON strings. */
export function writePart(part: Part, name?: string, indent = "", end = ""): readonly string[] {
  const begin = indent + (name === undefined ? "" : `${writeJson(name)}: `);
  if ("value" in part) return [`${begin}${writeJson(part.value)}${end} // ${part.from}`];
  const [open, close] = "items" in part ? "[]" : "{}";
  const inner: readonly (readonly [Part, string?])[] = "items" in part
    ? part.items.map((item) => [item])
    : Object.entries(part.members).flatMap(([key, each]) => each === undefined ? [] : [[each, key]]);
  return [
    `${begin}${open} // ${part.from}`,
    ...inner.flatMap(([each, key], index) =>
      writePart(each, key, `${indent}  `, index < inner.length - 1 ? "," : "")
    ),
    `${indent}${close}${end}`,
  ];
}

/** JSON in which people see each character. */
export function writeJson(value: unknown): string {
  return escapeHidden(JSON.stringify(value));
}
