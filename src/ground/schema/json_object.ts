/** Recognizes and parses JSON objects, and finds places in values. */

import { parseJson } from "../values/parse_json.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Compares the tag and not the class, which is another one in another realm, such as a test runner's VM context. */
export function isJsonObject(value: unknown): value is JsonObject {
  const tag = tagOf(value);
  return tag === "Object" || tag === "Module";
}

export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Returns the tag of a value, for example `Object`, `Array`, `Map` or `Promise`. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** Places are written as in JavaScript: `clients[0].redirect_uris[1]` or `claims["https://a.test/role"]`. */
export function placeOfMember(place: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${place}[${JSON.stringify(name)}]`;
  return place === "" ? name : `${place}.${name}`;
}

/** Splits a place into names and indexes: `clients[0].scope` is `clients`, `0` and `scope`. */
export function splitPlace(place: string): readonly string[] {
  return [...place.matchAll(/\[("(?:\\.|[^"\\])*")\]|[^.[\]]+/g)].map(([found, quoted]) =>
    quoted === undefined ? found : JSON.parse(quoted) as string
  );
}

export function findAt(place: string, value: unknown): unknown {
  return splitPlace(place).reduce(
    (found, name) => Object.hasOwn(Object(found), name) ? Object(found)[name] : undefined,
    value,
  );
}
