/** Checks the terms of a call. JavaScript would ignore a misspelt name, and the test would prove nothing. */

import { checkSchema } from "../../schema/check_schema.ts";
import { isJsonObject, tagOf } from "../../schema/json_object.ts";
import { describeType, withReceived } from "../../schema/received.ts";
import type { Schema } from "../../schema/schema.ts";

const text: Schema = { type: "string" };
const texts: Schema = { anyOf: [text, { type: "array", items: text }] };
const object: Schema = { type: "object" };
const flag: Schema = { type: "boolean" };

/** The same in every call. Terms that are not listed here are checked where they are read. */
const schemas: Readonly<Record<string, Schema>> = {
  ...{ client: text, person: text, as: text, redirectUri: text, prompt: text, nonce: text },
  ...{ audience: text, realm: text, resourceMetadata: text, host: text },
  ...{ scope: texts, resource: texts, claims: object, params: object, clientKey: object },
  ...{ deny: flag, withoutPerson: flag, once: flag, tls: flag },
  port: { type: "integer", minimum: 0, maximum: 65_535 },
};

/** The schema of the terms. A name of `Terms` that is missing here does not compile. */
export function termsOf<Terms>(names: Record<keyof Terms, true>): Schema {
  const properties = Object.keys(names).map((name) => [name, schemas[name] ?? {}]);
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(properties) };
}

/** `doing` continues "Cannot". */
export function requireKnownTerms(doing: string, terms: unknown, schema: Schema): asserts terms is object {
  const found = checkSchema(terms, schema);
  if (found !== undefined) {
    const { place, problem, received } = found;
    const names = Object.keys(schema.properties ?? {}).join(", ");
    throw new TypeError(
      place === ""
        ? `Cannot ${doing}: the terms ${withReceived(`must be an object with ${names}`, received)}`
        : `Cannot ${doing}: ${place} ${withReceived(problem, received)}`,
    );
  }
  const { browser } = terms as { readonly browser?: unknown };
  if (browser === undefined || isBrowser(browser)) return;
  throw new TypeError(`Cannot ${doing}: browser must come from as.browser(), not ${describeType(browser)}`);
}

/** No schema can say that a member is a Map. */
function isBrowser(value: unknown): boolean {
  return isJsonObject(value) && tagOf(value["cookies"]) === "Map";
}
