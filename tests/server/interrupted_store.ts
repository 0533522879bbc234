/** A store in which a test acts in the middle of a request. */

import { memoryStore, type Store } from "../../src/mod.ts";

export interface InterruptedStore {
  readonly store: Store;
  /** Runs once: right after the next get of the kind, so that what was read is stale, or before the next put. */
  meanwhile?: (() => unknown) | undefined;
}

export function interruptedStore(verb: "get" | "put", kind: string): InterruptedStore {
  const memory = memoryStore();
  const act = async (current: string, { name }: { readonly name: string }) => {
    const { meanwhile } = interrupted;
    if (current !== verb || name !== kind || meanwhile === undefined) return;
    interrupted.meanwhile = undefined;
    await meanwhile();
  };
  const interrupted: InterruptedStore = {
    store: {
      ...memory,
      async get(kind, ...rest) {
        const entry = await memory.get(kind, ...rest);
        await act("get", kind);
        return entry;
      },
      async put(kind, ...rest) {
        await act("put", kind);
        return await memory.put(kind, ...rest);
      },
    },
  };
  return interrupted;
}
