/** A store in which another server is always a moment quicker. */

import { memoryStore, type Store } from "../../src/mod.ts";

/** Each change of a record comes too late at first: another server has just written the record again. */
export function overtakenStore(): Store {
  const store = memoryStore();
  const overtaken = new Set<string>();
  return {
    ...store,
    async put(kind, id, value, terms) {
      const key = `${kind.name} ${id}`;
      const entry = typeof terms.if === "string" ? await store.get(kind, id, terms.now) : undefined;
      if (entry !== undefined && entry.version === terms.if && !overtaken.delete(key)) {
        overtaken.add(key);
        await store.put(kind, id, entry.value, { expiresAt: entry.expiresAt, now: terms.now });
      }
      return await store.put(kind, id, value, terms);
    },
  };
}
