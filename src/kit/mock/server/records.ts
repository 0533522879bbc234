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
}

/** Keeps records in memory. A reset opens a new, empty store. */
export const recordsInMemory: Records = { areLasting: false, open: () => memoryStore(), clear: () => {} };
