/** Keeps the records of a mock in a store that outlives the process. */

import { type Kind, partOfStore, type Store, StoreUnavailable } from "../../../server/store/store.ts";
import { keySets } from "../../../server/setup/key_set.ts";
import { present } from "../../../ground/values/present.ts";
import { type KeptRecord, type Records, writeRecords } from "./records.ts";

/**
 * Keeps records in a store that the caller closes, in the same parts as without the test kit. `ownName` is the name of
 * the part that has the records of the mock itself. Without it, they are beside the parts of the tenants.
 */
export function createLastingRecords(store: Store, ownName: string | undefined): Records {
  const running = new Set<Promise<unknown>>();
  /** What is written after the deletion, by the part that is deleted. */
  const cleared = new Map<Store, () => Promise<void>>();
  let clearing: Promise<void> | undefined;

  /** Waits until the deleted records are gone. After a failure, the next call deletes again. */
  function settle(): Promise<void> {
    return clearing ??= deleteCleared().finally(() => clearing = undefined);
  }

  async function deleteCleared(): Promise<void> {
    for (const [part, refill] of cleared) {
      // A write that began before the reset must not end after the deletion.
      await Promise.allSettled(running);
      await deleteRecords(part);
      await refill();
      // A reset during the deletion has replaced what is written.
      if (cleared.get(part) === refill) cleared.delete(part);
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
      async *kinds() {
        await run(() => Promise.resolve());
        yield* part.kinds!();
      },
      ...present({ forRequest: part.forRequest && ((answer) => part.forRequest!(answer)) }),
      close() {
        isClosed = true;
        return Promise.resolve();
      },
    };
  }

  const partOf = (name: string | undefined) => name === undefined ? store : partOfStore(store, name);
  const partOfServer = (name: string) => partOf(name === "" ? ownName : name);

  function clear(name: string, kept: readonly KeptRecord[]): void {
    const part = name === "" ? store : partOf(name);
    // To the end, because the parts of tenants are in that of the mock, and must be written after its deletion.
    cleared.delete(part);
    cleared.set(part, () => writeRecords(partOfServer(name), kept));
  }

  return {
    areLasting: true,
    // Only a store with a server of its own tells a time.
    areShared: store.clock !== undefined,
    open: (name) => open(partOfServer(name)),
    clear: (name) => clear(name, []),
    prepare: (name, kept) =>
      Promise.resolve(() => {
        clear(name, kept);
        return open(partOfServer(name));
      }),
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
