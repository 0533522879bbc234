/** The `test` function for this folder: a test that takes a world gets one, with a browser and a store. */

import { test as register } from "../runner.ts";
import { type CountingStore, countingStore } from "../security/counting_store.ts";
import { type Browser, createBrowser, inWorld, type World, type WorldOptions } from "../world.ts";

interface Given {
  readonly world: World;
  readonly browser: Browser;
  readonly store: CountingStore;
}

type Test = (name: string, work: (given: Given) => void | Promise<void>) => void;

/** Returns a `test` function whose worlds have these options. */
export function testIn(options: WorldOptions): Test {
  return (name, work) => {
    // A test with other options takes no parameter, and opens its world itself.
    const isGivenWorld = work.length > 0;
    const run = () => {
      const store = countingStore();
      return inWorld({ store, ...options }, async (world) => {
        await work({ world, browser: createBrowser(world), store });
      });
    };
    register(name, () => isGivenWorld ? run() : work(undefined as never));
  };
}

/** Its worlds have the usual options. */
export const test: Test = testIn({});
