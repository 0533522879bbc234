/** One server after another on one store, each with its own options. */

import { memoryStore } from "../src/mod.ts";
import { createWorld, type World, type WorldOptions } from "./world.ts";

/** `open` closes the server before, and opens the next one with the common options and its own. */
export async function inTurn(
  common: WorldOptions,
  work: (open: (options?: WorldOptions) => Promise<World>) => Promise<void>,
): Promise<void> {
  const store = memoryStore();
  let current: World | undefined;
  try {
    await work(async (options = {}) => {
      await current?.close();
      return current = createWorld({ ...common, ...options, store });
    });
  } finally {
    await current?.close();
    await store.close();
  }
}
