/** RFC 7396: a change to a JSON value, written as the part of it that is another. */

import { isJsonObject } from "../schema/json_object.ts";

/** `null` takes a member away; an array is replaced as a whole. */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(value) ? value : {}));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), change));
  }
  return Object.fromEntries(merged);
}
