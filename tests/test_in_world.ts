/** Tests that each run in a world of their own. */

import { type TestIn, testIn } from "./test_in.ts";
import { inWorld, type World, type WorldOptions } from "./world.ts";

export function testInWorld(options: WorldOptions, open: typeof inWorld = inWorld): TestIn<[World]> {
  return testIn((work) => open(options, work));
}
