/** A server that is replaced while it runs: over the same records when its options change, over none at a reset. */

import type { RandomBytes } from "../../crypto/bytes.ts";
import type { AssembledServer } from "../../server.ts";
import type { memoryStore } from "../../store/memory.ts";

/** What outlives a change of options, and what a reset begins anew. */
export interface ServerState {
  readonly store: ReturnType<typeof memoryStore>;
  readonly random: RandomBytes;
}

export interface ReplaceableServer {
  readonly current: AssembledServer;
  /** Another one after each reset. */
  readonly state: ServerState;
  /** Running requests end at the server where they began. */
  rebuild(): void;
  /** Begins without any records. */
  restart(): void;
  close(): Promise<void>;
}

/** Nothing changes if `assemble` throws. */
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
    restart() {
      const empty = createState();
      const next = assemble(empty);
      // Not waited for: requests from before a reset no longer count.
      void current.server.close();
      retired.clear();
      [state, current] = [empty, next];
    },
    async close() {
      await Promise.all([current.server.close(), ...retired]);
    },
  };
}
