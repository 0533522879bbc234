/** Finds the member that an unknown member belongs in: `email` of a person belongs in `claims`. */

import type { JsonObject } from "./json_object.ts";
import { mayBeSecret } from "./received.ts";
import type { Schema } from "./schema.ts";

export interface Misplaced {
  /** Follows the name of the member, and contains JSON to paste: `belongs in claims: write "claims": { … }`. */
  readonly problem: string;
  readonly expected: string;
}

/** Returns `undefined` if no property of the schema has a member with this name that accepts the value. */
export function findMisplaced(
  name: string,
  object: JsonObject,
  { properties = {} }: Schema,
  accepts: (value: unknown, schema: Schema) => boolean,
): Misplaced | undefined {
  const [owner, { properties: inside = {} } = {}] = Object.entries(properties).find(([, schema]) => {
    const member = new Map(Object.entries(schema.properties ?? {})).get(name);
    return member !== undefined && accepts(object[name], member);
  }) ?? [];
  if (owner === undefined) return undefined;
  // Lists all members with the same mistake, so that the caller can correct them together.
  const members = Object.entries(object)
    .filter(([each]) => Object.hasOwn(inside, each) && !Object.hasOwn(properties, each))
    .map(([each, value]) => `${JSON.stringify(each)}: ${formatValue(each, value)}`)
    .join(", ");
  const advice = object[owner] === undefined
    ? `write ${JSON.stringify(owner)}: { ${members} }`
    : `write ${members} there`;
  return { problem: `belongs in ${owner}: ${advice}`, expected: `must be in ${owner}` };
}

/** Returns `undefined` if not exactly one list of the schema has entries with a member of this name. */
export function findInList(name: string, { properties = {} }: Schema): Misplaced | undefined {
  const lists = Object.keys(properties).filter((each) =>
    Object.hasOwn(properties[each]!.items?.properties ?? {}, name)
  );
  if (lists.length !== 1) return undefined;
  const place = `in an entry of ${lists[0]}`;
  return { problem: `belongs ${place}`, expected: `must be ${place}` };
}

const longest = 200;

/** Formats a text, a number, a boolean, or a list of these as JSON. Other values may contain secrets. */
function formatValue(name: string, value: unknown): string {
  const isPlain = [value].flat().every((each) => ["string", "number", "boolean"].includes(typeof each));
  const text = isPlain && !mayBeSecret(name) ? JSON.stringify(value) : "…";
  return text.length > longest ? "…" : text;
}
