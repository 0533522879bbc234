/** A part of a store, so that several servers can share one store. */

import type { Kind, Store } from "./store.ts";

/**
 * Returns a store whose records are those of `store` with kinds that begin with the name. `close` does nothing. The name
 * is in the kind and not in the id, because a client chooses some ids, and a list of one part skips no other records.
 */
export function partOfStore(store: Store, name: string): Store {
  const prefix = `${name}/`;
  const within = <T>(kind: Kind<T>): Kind<T> => ({ name: prefix + kind.name });
  const { sweep, list, kinds, forRequest } = store;
  return {
    get: (kind, id, now) => store.get(within(kind), id, now),
    put: (kind, id, value, terms) => store.put(within(kind), id, value, terms),
    delete: (kind, id) => store.delete(within(kind), id),
    ...(sweep === undefined ? {} : { sweep: (limit, now) => store.sweep!(limit, now) }),
    ...(list === undefined ? {} : { list: (kind) => store.list!(within(kind)) }),
    ...(kinds === undefined ? {} : {
      async *kinds() {
        for await (const kind of store.kinds!()) if (kind.startsWith(prefix)) yield kind.slice(prefix.length);
      },
    }),
    ...(forRequest === undefined ? {} : { forRequest: (answer) => store.forRequest!(answer) }),
    close: () => Promise.resolve(),
  };
}
