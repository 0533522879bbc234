/** The `test` function for this folder: a test that takes a world and a browser gets them. */

import { test as register } from "../runner.ts";
import type { Browser, World, WorldOptions } from "../world.ts";
import { inOpenId } from "./openid_world.ts";

interface Given {
  readonly world: World;
  readonly browser: Browser;
}

type Test = (name: string, work: (given: Given) => void | Promise<void>) => void;

/** Returns a `test` function whose worlds have these options. */
export function testIn(options: WorldOptions): Test {
  return (name, work) => {
    // A test with other options takes no parameter, and opens its world itself.
    const isGivenWorld = work.length > 0;
    const run = () => inOpenId(options, async (world, browser) => await work({ world, browser }));
    register(name, () => isGivenWorld ? run() : work(undefined as never));
  };
}

/** Its worlds have the usual options. */
export const test: Test = testIn({});
