/** Recognizes and parses JSON objects. */

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Whether the value is a plain object. Arrays, Maps, promises, URLs and responses are not, because the caller would see
 * an object without members. Compares the tag and not the class, because an object from another realm (such as a test
 * runner's VM context) has another class.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  const tag = tagOf(value);
  return tag === "Object" || tag === "Module";
}

/** Returns `undefined` if the text is not JSON, or if the JSON value is not an object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the tag of a value, for example `Object`, `Array`, `Map` or `Promise`. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
