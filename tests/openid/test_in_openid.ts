/** The `test` function for this folder: a test that takes a world and a browser gets them with the usual options. */

import { test as register } from "../runner.ts";
import type { Browser, World } from "../world.ts";
import { inOpenId } from "./openid_world.ts";

interface Given {
  readonly world: World;
  readonly browser: Browser;
}

interface Test {
  (name: string, work: (given: Given) => void | Promise<void>): void;
  skip(name: string, reason: string): void;
}

export const test: Test = Object.assign(
  (name: string, work: (given: Given) => void | Promise<void>): void => {
    // A test with other options takes no parameter, and opens its world itself.
    const isGivenWorld = work.length > 0;
    const run = () => inOpenId({}, async (world, browser) => await work({ world, browser }));
    register(name, () => isGivenWorld ? run() : work(undefined as never));
  },
  { skip: register.skip },
);
