/** The `test` function for this folder: a test that takes a world gets one with the usual options. */

import { test as register } from "../runner.ts";
import { inWorld, type World } from "../world.ts";

export function test(name: string, work: (world: World) => void | Promise<void>): void {
  // A test with other options takes no parameter, and opens its world itself.
  const isGivenWorld = work.length > 0;
  register(
    name,
    () => isGivenWorld ? inWorld({}, async (world) => await work(world)) : work(undefined as never),
  );
}
