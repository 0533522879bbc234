/** Tests of this folder: each gets a world and a browser. */

import { type TestIn, testIn } from "../../test_in.ts";
import type { Browser, World, WorldOptions } from "../../world.ts";
import { inOpenId } from "./openid_world.ts";

interface Given {
  readonly world: World;
  readonly browser: Browser;
}

/** Returns a function like `test`, for worlds with these options. */
export function testWith(options: WorldOptions = {}): TestIn<[Given]> {
  return testIn((work) => inOpenId(options, (world, browser) => work({ world, browser })));
}
