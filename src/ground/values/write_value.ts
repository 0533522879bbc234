/** Writes a value of JSON as a text. */

/** Returns a text as it is, and an object as JSON, because it may have no text of its own. */
export function writeValue(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
