/** The `test` function for this folder: a test that takes a world gets one with a store that counts its writes. */

import { test as register } from "../runner.ts";
import { type CountingStore, countingStore } from "../security/counting_store.ts";
import { inWorld, type World, type WorldOptions } from "../world.ts";

interface StoredWorld extends World {
  readonly store: CountingStore;
}

type Test = (name: string, work: (world: StoredWorld) => void | Promise<void>) => void;

/** Returns a `test` function whose worlds have these options. */
export function testIn(options: WorldOptions): Test {
  return (name, work) => {
    // A test with other options takes no parameter, and opens its world itself.
    const isGivenWorld = work.length > 0;
    const run = () => {
      const store = countingStore();
      return inWorld({ store, ...options }, async (world) => await work({ ...world, store }));
    };
    register(name, () => isGivenWorld ? run() : work(undefined as never));
  };
}

/** Its worlds have the usual options. */
export const test: Test = testIn({});
