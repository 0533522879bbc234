/** Checks the options that a test passes: a misspelt name would be ignored, and the test would pass for the wrong reason. */

import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { isJsonObject, tagOf } from "../../../ground/schema/json_object.ts";
import { describeType, withReceived } from "../../../ground/schema/received.ts";
import { type JsonType, otherNames, type Schema } from "../../../ground/schema/schema.ts";
import { present } from "../../../ground/values/present.ts";
import { closedObject } from "../../../ground/schema/schema_of.ts";

/** The members of types of terms, which `deno task docs` has written from the types. */
export { default as types } from "../../../../static/terms.json" with { type: "json" };

/**
 * Schemas by the names of members. A text is the name of a type. `texts`: one text or several. `earlier`: an earlier name of
 * `username`, which is accepted, but no error suggests it.
 */
export type KnownMembers = Readonly<Record<string, string | object>>;

/**
 * Throws a TypeError if the terms do not fit their type, or have a member that the type lacks. The calls check numbers and
 * durations themselves. The message begins with "Cannot " and `doing`. `more` has the schemas of members of which the
 * type says too little or too much.
 */
export function requireTerms(
  doing: string,
  terms: unknown,
  members: KnownMembers,
  more: Readonly<Record<string, Schema>> = {},
): asserts terms is object {
  const given = new Map(isJsonObject(terms) ? Object.entries(present(terms)) : []);
  const all = Object.entries<string | object>({ ...members, ...more });
  const known = all.filter(([each, member]) => member !== "earlier" || given.has(each));
  const properties = Object.fromEntries(known.map(([each, member]) => [each, schemaOf(each, member)]));
  requireKnownOptions(doing, terms, closedObject(properties));
  const earlier = known.find(([, member]) => member === "earlier")?.[0];
  if (earlier === undefined || !given.has("username")) return;
  throw new TypeError(
    `Cannot ${doing} with both username and ${earlier}: they mean the same, so leave out ${earlier}`,
  );
}

function schemaOf(name: string, member: KnownMembers[string]): Schema {
  if (name === "username") return { type: "string", [otherNames]: ["user", "person", "as"] };
  if (member === "earlier") return text;
  if (member === "texts") return { anyOf: [text, { type: "array", items: text }] };
  return typeof member === "string" ? { type: member as JsonType } : member as Schema;
}

const text: Schema = { type: "string" };

/** Throws a TypeError if the terms do not match the schema. The message begins with "Cannot " and `doing`. */
export function requireKnownOptions(doing: string, terms: unknown, schema: Schema): asserts terms is object {
  const found = checkSchema(terms, schema);
  if (found !== undefined) {
    const { place, problem, received } = found;
    const names = Object.keys(schema.properties ?? {}).join(", ");
    throw new TypeError(
      place === ""
        ? `Cannot ${doing}: the terms ${withReceived(`must be an object with any of ${names}`, received)}`
        : `Cannot ${doing}: ${place} ${withReceived(problem, received)}`,
    );
  }
  const { browser } = terms as { readonly browser?: unknown };
  if (browser === undefined || isBrowser(browser)) return;
  throw new TypeError(
    `Cannot ${doing}: browser must be the return value of as.browser(), not ${describeType(browser)}`,
  );
}

/** Checks that the value has a Map of cookies, which a schema cannot describe. */
function isBrowser(value: unknown): boolean {
  return isJsonObject(value) && tagOf(value["cookies"]) === "Map";
}
