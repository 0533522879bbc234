/** Where the servers of a mock keep their records: in memory, or in a store that outlives the process. */

import { memoryStore } from "../../../server/store/memory.ts";
import type { Store } from "../../../server/store/store.ts";

/** The name of a server is that of its tenant, or empty for the mock itself. */
export interface Records {
  /** Whether the records outlive the process. Then the signing keys are among them. */
  readonly areLasting: boolean;
  /** Opens the records of a server. A server that was reset opens them again. */
  open(name: string): Store;
  /** Deletes the records of a server. A deletion for the mock itself includes all tenants. */
  clear(name: string): void;
  /** Returns a function that replaces the records of a server, as after `clear`, and opens them. */
  prepare(name: string, kept: readonly KeptRecord[]): Promise<() => Store>;
  /** Whether other processes may have the same records. */
  readonly areShared: boolean;
}

/** A record of a snapshot. */
export interface KeptRecord {
  readonly kind: string;
  readonly id: string;
  readonly value: unknown;
  readonly expiresAt: number;
}

/** Reads all records that a server has opened, with its signing keys. */
export async function readRecords(store: Store): Promise<readonly KeptRecord[]> {
  const kept: KeptRecord[] = [];
  for await (const kind of store.kinds!()) {
    // Those of tenants may be beside those of the mock itself.
    if (kind.includes("/")) continue;
    for await (const { id, value, expiresAt } of store.list!({ name: kind })) {
      kept.push({ kind, id, value, expiresAt });
    }
  }
  return kept;
}

export async function writeRecords(store: Store, kept: readonly KeptRecord[]): Promise<void> {
  for (const { kind, id, value, expiresAt } of kept) {
    await store.put({ name: kind }, id, value, { expiresAt, now: 0 });
  }
}

/** Keeps records in memory. A reset opens a new, empty store. */
export const recordsInMemory: Records = {
  areLasting: false,
  areShared: false,
  open: () => memoryStore(),
  clear: () => {},
  async prepare(_name, kept) {
    const store = memoryStore();
    await writeRecords(store, kept);
    return () => store;
  },
};
