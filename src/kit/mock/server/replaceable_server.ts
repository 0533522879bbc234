/** Replaces the running server. A change of options keeps the store, and a reset opens an empty one. */

import type { RandomBytes } from "../../../ground/crypto/bytes.ts";
import type { AssembledServer, ServerParts } from "../../../server/server.ts";
import type { Store } from "../../../server/store/store.ts";
import { remember } from "../../../ground/values/remember.ts";

/** The state that stays when the options change. A reset replaces it. */
export interface ServerState {
  readonly store: Store;
  readonly random: RandomBytes;
  /** Absent: the signing keys are in the store. */
  readonly keySource?: NonNullable<ServerParts["keySource"]>;
}

export interface ReplaceableServer<Face extends object> {
  readonly current: AssembledServer;
  /** Returns the server with the current options and state that has this face. */
  withFace(face: Face): AssembledServer;
  /** The current state. Each reset replaces this object. */
  readonly state: ServerState;
  /** Rotates the keys, also at each face. */
  rotateKeys(terms: { readonly atOnce: boolean }): Promise<void>;
  /** Creates a server with the current options and the same state. The old server finishes its requests. */
  rebuild(): void;
  /** Creates a server with another store, which `createState` opens. */
  reset(): void;
  /** Creates a server with another store, and the same options and random source. */
  replaceStore(store: Store): void;
  /** Closes the current server and waits for its requests, also for those of servers that `rebuild` has replaced. */
  close(): Promise<void>;
}

/** If `assemble` throws, `rebuild` and `reset` keep the current server and state. */
export function createReplaceableServer<Face extends object>(
  createState: () => ServerState,
  assemble: (state: ServerState, face?: Face) => AssembledServer,
): ReplaceableServer<Face> {
  const retired = new Set<Promise<unknown>>();
  let state = createState();
  let current = assemble(state);
  /** The servers with faces, by face. Each is made at its first request. */
  let faces = new Map<Face, AssembledServer>();

  /** Closes the current servers. */
  function closeAll(): Promise<unknown> {
    const closing = [current, ...faces.values()].map(({ server }) => server.close());
    faces = new Map();
    return Promise.all(closing);
  }

  function replaceState(replacing: ServerState): void {
    const next = assemble(replacing);
    // close() does not wait for requests that started before a reset.
    void closeAll();
    retired.clear();
    // Requests that started before the reset must not write into records of the same store.
    void state.store.close();
    [state, current] = [replacing, next];
  }

  return {
    get current() {
      return current;
    },
    withFace: (face) => remember(faces, face, () => assemble(state, face)),
    get state() {
      return state;
    },
    async rotateKeys(terms) {
      for (const { server } of [current, ...faces.values()]) await server.rotateKeys(terms);
    },
    rebuild() {
      const next = assemble(state);
      const retiring: Promise<unknown> = closeAll().finally(() => retired.delete(retiring));
      retired.add(retiring);
      current = next;
    },
    reset: () => replaceState(createState()),
    replaceStore: (store) => replaceState({ ...state, store }),
    async close() {
      await Promise.all([closeAll(), ...retired]);
    },
  };
}
