/** Fault injection: a store that fails at one chosen call, before or after doing it. */
import type { Store } from "../../src/mod.ts";
import { type Call, watchStore } from "./watched_store.ts";

export interface Fault {
  /** The first call is 1. */
  readonly call: number;
  /** "after": the store does the call, and the caller gets an error all the same. */
  readonly when: "before" | "after";
  readonly error: Error;
}

export interface FailingStore {
  readonly store: Store;
  /** The call that failed. `undefined` while none has. */
  readonly struck: Struck | undefined;
}

export interface Struck {
  readonly call: Call;
  /** Whether it was a put that wrote its record. */
  readonly written: boolean;
}

export function failingStore(store: Store, { call: at, when, error }: Fault): FailingStore {
  let count = 0;
  let struck: Struck | undefined;
  return {
    store: watchStore(store, async (call, perform) => {
      if (++count !== at) return await perform();
      const result = when === "after" ? await perform() : undefined;
      struck = { call, written: call.verb === "put" && result !== undefined };
      throw error;
    }),
    get struck() {
      return struck;
    },
  };
}
