/** Applies a JSON merge patch (RFC 7396). */

import { isJsonObject } from "../../../server/schema/json_object.ts";

/** `null` removes a member, and an array replaces the whole array. */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(value) ? value : {}));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), change));
  }
  return Object.fromEntries(merged);
}
