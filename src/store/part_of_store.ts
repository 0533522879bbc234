/** A part of a store, so that several servers can share one store. */

import type { Store } from "./store.ts";

/** Returns a store whose records are those of `store` with ids that begin with the name. `close` does nothing. */
export function partOfStore(store: Store, name: string): Store {
  const prefix = `${name}/`;
  const { sweep, list } = store;
  return {
    get: (kind, id, now) => store.get(kind, prefix + id, now),
    put: (kind, id, value, terms) => store.put(kind, prefix + id, value, terms),
    delete: (kind, id) => store.delete(kind, prefix + id),
    ...(sweep === undefined ? {} : { sweep: (limit, now) => store.sweep!(limit, now) }),
    ...(list === undefined ? {} : {
      async *list(kind) {
        for await (const entry of store.list!(kind)) {
          if (entry.id.startsWith(prefix)) yield { ...entry, id: entry.id.slice(prefix.length) };
        }
      },
    }),
    close: () => Promise.resolve(),
  };
}
