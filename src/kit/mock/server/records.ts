/** Where the servers of a mock keep their records: in memory, or in a store that outlives the process. */

import { memoryStore } from "../../../server/store/memory.ts";
import { type Kind, partOfStore, type Store, StoreUnavailable } from "../../../server/store/store.ts";
import { keySets } from "../../../server/setup/key_set.ts";

/** The name of a server is that of its tenant, or empty for the mock itself. */
export interface Records {
  /** Whether the records outlive the process. Then the signing keys are among them. */
  readonly areLasting: boolean;
  /** Opens the records of a server. A server that was reset opens them again. */
  open(name: string): Store;
  /** Deletes the records of a server. A deletion for the mock itself includes all tenants. */
  clear(name: string): void;
}

/** Keeps records in memory. A reset opens a new, empty store. */
export const recordsInMemory: Records = { areLasting: false, open: () => memoryStore(), clear: () => {} };

/**
 * Keeps records in a store that the caller closes, in the same parts as without the test kit. `ownName` is the name of
 * the part that has the records of the mock itself. Without it, they are beside the parts of the tenants.
 */
export function createLastingRecords(store: Store, ownName: string | undefined): Records {
  const running = new Set<Promise<unknown>>();
  const cleared = new Set<Store>();
  let clearing: Promise<void> | undefined;

  /** Waits until the deleted records are gone. After a failure, the next call deletes again. */
  function settle(): Promise<void> {
    return clearing ??= deleteCleared().finally(() => clearing = undefined);
  }

  async function deleteCleared(): Promise<void> {
    for (const part of cleared) {
      // A write that began before the reset must not end after the deletion.
      await Promise.allSettled(running);
      await deleteRecords(part);
      cleared.delete(part);
    }
  }

  function open(part: Store): Store {
    let isClosed = false;

    async function run<T>(work: () => Promise<T>): Promise<T> {
      while (cleared.size > 0 && !isClosed) await settle();
      if (isClosed) throw new StoreUnavailable("The store is closed");
      const working = work();
      running.add(working);
      try {
        return await working;
      } finally {
        running.delete(working);
      }
    }

    return {
      get: (kind, id, now) => run(() => part.get(kind, id, now)),
      put: (kind, id, value, terms) => run(() => part.put(kind, id, value, terms)),
      delete: (kind, id) => run(() => part.delete(kind, id)),
      async *list(kind) {
        await run(() => Promise.resolve());
        yield* part.list!(kind);
      },
      ...(part.forRequest === undefined ? {} : { forRequest: (answer) => part.forRequest!(answer) }),
      close() {
        isClosed = true;
        return Promise.resolve();
      },
    };
  }

  const partOf = (name: string | undefined) => name === undefined ? store : partOfStore(store, name);
  return {
    areLasting: true,
    open: (name) => open(partOf(name === "" ? ownName : name)),
    clear: (name) => void cleared.add(name === "" ? store : partOf(name)),
  };
}

/** Deletes all records but the signing keys, because clients may have cached the JWKS. */
async function deleteRecords(store: Store): Promise<void> {
  const kinds: Kind<unknown>[] = [];
  for await (const name of store.kinds!()) {
    if (name !== keySets.name && !name.endsWith(`/${keySets.name}`)) kinds.push({ name });
  }
  for (const kind of kinds) {
    let deleting: Promise<void>[] = [];
    for await (const { id } of store.list!(kind)) {
      deleting.push(store.delete(kind, id));
      if (deleting.length < mostAtOnce) continue;
      await Promise.all(deleting);
      deleting = [];
    }
    await Promise.all(deleting);
  }
}

const mostAtOnce = 250;
