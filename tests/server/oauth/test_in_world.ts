/** Tests of this folder: each gets a world, a browser, and a store that counts its writes. */

import { type CountingStore, countingStore } from "../../security/counting_store.ts";
import { type TestIn, testIn } from "../../test_in.ts";
import { type Browser, createBrowser, inWorld, type World, type WorldOptions } from "../../world.ts";

interface Given {
  readonly world: World;
  readonly browser: Browser;
  readonly store: CountingStore;
}

/** Returns a function like `test`, for worlds with these options. */
export function testWith(options: WorldOptions = {}): TestIn<[Given]> {
  return testIn((work) => {
    const store = countingStore();
    return inWorld({ store, ...options }, (world) => work({ world, browser: createBrowser(world), store }));
  });
}
