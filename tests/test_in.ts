/** Tests that each run in a world of their own. */

import { test } from "./runner.ts";
import { inWorld, type World, type WorldOptions } from "./world.ts";

/** A function like `test`, whose tests get what was opened for them. */
export type TestIn<Given extends readonly unknown[]> = (
  name: string,
  work: (...given: Given) => void | Promise<void>,
) => void;

/** Returns a function like `test`. `open` opens what a test needs, and closes it even if the test fails. */
export function testIn<Given extends readonly unknown[]>(
  open: (work: (...given: Given) => Promise<void>) => Promise<unknown>,
): TestIn<Given> {
  return (name, work) => test(name, async () => void await open(async (...given) => await work(...given)));
}

export function testInWorld(options: WorldOptions, open: typeof inWorld = inWorld): TestIn<[World]> {
  return testIn((work) => open(options, work));
}
