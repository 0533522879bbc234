/** Tests that each run in a world of their own. */

import { test } from "./runner.ts";
import { inWorld, type World, type WorldOptions } from "./world.ts";

export type TestIn<Given> = (name: string, work: (given: Given) => void | Promise<void>) => void;

/** Returns a function like `test`. `open` opens what a test needs, and closes it even if the test fails. */
export function testIn<Given>(open: (work: (given: Given) => Promise<void>) => Promise<void>): TestIn<Given> {
  return (name, work) => test(name, () => open(async (given) => await work(given)));
}

export function testInWorld(options: WorldOptions, open: typeof inWorld = inWorld): TestIn<World> {
  return testIn((work) => open(options, work));
}
