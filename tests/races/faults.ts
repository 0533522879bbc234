/** Fault injection: a store that fails at one chosen call, before or after doing it. */
import type { Store } from "../../src/mod.ts";
import { watchStore } from "./watched_store.ts";

export interface Fault {
  /** The first call is 1. */
  readonly call: number;
  /** "after": the store does the call, and the caller gets an error all the same. */
  readonly when: "before" | "after";
  readonly error: Error;
}

export function failingStore(
  store: Store,
  { call, when, error }: Fault,
): { readonly store: Store; readonly hasStruck: () => boolean } {
  let count = 0;
  return {
    store: watchStore(store, async (_call, perform) => {
      if (++count !== call) return await perform();
      if (when === "after") await perform();
      throw error;
    }),
    hasStruck: () => count >= call,
  };
}
