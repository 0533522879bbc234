/** Replaces the running server. A change of options keeps the store, and a reset opens an empty one. */

import type { RandomBytes } from "../../../server/crypto/bytes.ts";
import type { AssembledServer, ServerParts } from "../../../server/server.ts";
import type { Store } from "../../../server/store/store.ts";

/** The state that stays when the options change. A reset replaces it. */
export interface ServerState {
  readonly store: Store;
  readonly random: RandomBytes;
  /** Absent: the signing keys are in the store. */
  readonly keySource?: NonNullable<ServerParts["keySource"]>;
}

export interface ReplaceableServer {
  readonly current: AssembledServer;
  /** The current state. Each reset replaces this object. */
  readonly state: ServerState;
  /** Creates a server with the current options and the same state. The old server finishes its requests. */
  rebuild(): void;
  /** Creates a server with another store, which `createState` opens. */
  reset(): void;
  /** Closes the current server and waits for its requests, also for those of servers that `rebuild` has replaced. */
  close(): Promise<void>;
}

/** If `assemble` throws, `rebuild` and `reset` keep the current server and state. */
export function createReplaceableServer(
  createState: () => ServerState,
  assemble: (state: ServerState) => AssembledServer,
): ReplaceableServer {
  const retired = new Set<Promise<void>>();
  let state = createState();
  let current = assemble(state);
  return {
    get current() {
      return current;
    },
    get state() {
      return state;
    },
    rebuild() {
      const next = assemble(state);
      const retiring = current.server.close().finally(() => retired.delete(retiring));
      retired.add(retiring);
      current = next;
    },
    reset() {
      const empty = createState();
      const next = assemble(empty);
      // close() does not wait for requests that started before a reset.
      void current.server.close();
      retired.clear();
      // Requests that started before the reset must not write into records of the same store.
      void state.store.close();
      [state, current] = [empty, next];
    },
    async close() {
      await Promise.all([current.server.close(), ...retired]);
    },
  };
}
