/** A store that refuses a write which would undo the change of another server: it replaces a record without a condition. */

import type { Store } from "../src/mod.ts";

/** Records that no server changes, or whose every version is as good: what was found, and what was ended. */
const replaceable: ReadonlySet<string> = new Set([
  "client_document",
  "health",
  "pushed_request",
  "revoked_token",
  "verified_sector",
  "waiting_client",
  "walk",
]);

const guarded = new WeakMap<Store, Store>();

/** Returns the same store for the same one, because a server may remember something of its store. */
export function guardWrites(store: Store): Store {
  const known = guarded.get(store);
  if (known !== undefined) return known;
  const made: Store = {
    ...store,
    async put(kind, id, value, terms) {
      const mayReplace = terms.if !== undefined || replaceable.has(kind.name);
      if (!mayReplace && await store.get(kind, id, terms.now) !== undefined) {
        throw new Error(`${kind.name} ${id} was replaced without a condition, so a change may be lost`);
      }
      return await store.put(kind, id, value, terms);
    },
  };
  guarded.set(store, made);
  return made;
}
