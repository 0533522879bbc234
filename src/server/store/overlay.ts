/** A store that reads through to another store and keeps its own writes in memory, so that the other one never changes. */

import { memoryStore } from "./memory.ts";
import {
  type Entry,
  type Kind,
  type PutTerms,
  type Store,
  StoreUnavailable,
  type Version,
  writeValue,
} from "./store.ts";
import { present } from "../../ground/values/present.ts";

/** Marks the versions of this store, so that they never equal one of the store below. */
const mark = "overlay ";

/** Returns a store that begins with the records of `store`. `close` loses the writes and leaves `store` open. */
export function overlayStore(store: Store): Store {
  const written = memoryStore();
  /** The records that this store has written or deleted, by kind and id. Those of `store` no longer show. */
  const changed = new Map<string, Set<string>>();
  let isClosed = false;

  const isChanged = ({ name }: Kind<unknown>, id: string) => changed.get(name)?.has(id) ?? false;

  function noteChange({ name }: Kind<unknown>, id: string): void {
    const ids = changed.get(name) ?? new Set();
    changed.set(name, ids.add(id));
  }

  function requireOpen(): void {
    if (isClosed) throw new StoreUnavailable("The store is closed");
  }

  async function putChanged<T>(kind: Kind<T>, id: string, value: T, terms: PutTerms) {
    const { if: condition } = terms;
    if (condition && !condition.startsWith(mark)) return undefined;
    return marked(
      await written.put(kind, id, value, {
        ...terms,
        ...present({ if: condition ? condition.slice(mark.length) : undefined }),
      }),
    );
  }

  return {
    async get<T>(kind: Kind<T>, id: string, now: number): Promise<Entry<T> | undefined> {
      requireOpen();
      if (!isChanged(kind, id)) return await store.get(kind, id, now);
      const entry = await written.get(kind, id, now);
      return entry && { ...entry, version: mark + entry.version };
    },

    async put(kind, id, value, terms) {
      requireOpen();
      // The caller may change the value while this put waits for the store below.
      const copy = JSON.parse(writeValue(value, terms));
      const below = isChanged(kind, id) ? undefined : await store.get(kind, id, terms.now);
      // Another put may have written the record meanwhile.
      if (isChanged(kind, id)) return await putChanged(kind, id, copy, terms);
      const { if: condition, ...always } = terms;
      if (condition !== undefined && condition !== (below?.version ?? null)) return undefined;
      const version = written.put(kind, id, copy, always);
      noteChange(kind, id);
      return marked(await version);
    },

    async delete(kind, id) {
      requireOpen();
      noteChange(kind, id);
      await written.delete(kind, id);
    },

    ...(store.list === undefined ? {} : {
      async *list<T>(kind: Kind<T>) {
        requireOpen();
        for await (const entry of store.list!(kind)) if (!isChanged(kind, entry.id)) yield entry;
        for await (const entry of written.list!(kind)) yield { ...entry, version: mark + entry.version };
      },
    }),

    // deno-lint-ignore require-await -- async is the type of the interface
    async close() {
      isClosed = true;
    },
  };
}

function marked(version: Version | undefined): Version | undefined {
  return version && mark + version;
}
