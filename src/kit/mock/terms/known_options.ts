/** Checks the options that a test passes: a misspelt name would be ignored, and the test would pass for the wrong reason. */

import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { isJsonObject, tagOf } from "../../../ground/schema/json_object.ts";
import { describeType, withReceived } from "../../../ground/schema/received.ts";
import { otherNames, type Schema } from "../../../ground/schema/schema.ts";

const text: Schema = { type: "string" };
const asText: Schema = { ...text, [otherNames]: ["person", "user", "username"] };
const personText: Schema = { ...text, [otherNames]: ["as", "user", "username"] };
const texts: Schema = { anyOf: [text, { type: "array", items: text }] };
const object: Schema = { type: "object" };
const flag: Schema = { type: "boolean" };

/** Schemas of the terms that have the same type in every method. Each method checks its other terms itself. */
const schemas: Readonly<Record<string, Schema>> = {
  client: text,
  person: personText,
  as: asText,
  redirectUri: text,
  prompt: text,
  nonce: text,
  audience: text,
  realm: text,
  variant: text,
  resourceMetadata: text,
  host: text,
  scope: texts,
  acr: texts,
  resource: texts,
  authorizationDetails: { type: "array", items: object },
  claims: object,
  params: object,
  clientKey: object,
  deny: flag,
  pushed: flag,
  signed: flag,
  withoutPerson: flag,
  once: flag,
  atOnce: flag,
  tls: flag,
  method: text,
  dpop: { type: ["boolean", "object"] },
  port: { type: "integer", minimum: 0, maximum: 65_535 },
};

/** The compiler reports a name that `names` lacks. `true` means the usual schema of a term with this name. */
export function termsOf<Terms>(names: Readonly<Record<keyof Terms, true | Schema>>): Schema {
  const properties = Object.entries<true | Schema>(names)
    .map(([name, schema]) => [name, schema === true ? schemas[name] ?? {} : schema]);
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(properties) };
}

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
