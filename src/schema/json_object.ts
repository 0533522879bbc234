/** JSON objects: plain objects with named members. */

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Not arrays, Maps, promises, URLs or responses, which would be read as an object without members. Looks at the tag
 * instead of the class, because each realm has classes of its own.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  const tag = tagOf(value);
  return tag === "Object" || tag === "Module";
}

/** `undefined`: the text is not JSON, or not an object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `Object`, `Array`, `Map`, `Promise`, … */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
