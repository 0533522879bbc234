/** The `test` function for this folder: a test that takes a world gets one. */

import { test as register } from "../runner.ts";
import { inWorld, type World, type WorldOptions } from "../world.ts";

type Test = (name: string, work: (world: World) => void | Promise<void>) => void;

/** Returns a `test` function whose worlds have these options. */
export function testIn(options: WorldOptions): Test {
  return (name, work) => {
    // A test with other options takes no parameter, and opens its world itself.
    const isGivenWorld = work.length > 0;
    const run = () => inWorld(options, async (world) => await work(world));
    register(name, () => isGivenWorld ? run() : work(undefined as never));
  };
}

/** Its worlds have the usual options. */
export const test: Test = testIn({});
