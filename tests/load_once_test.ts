/** What is loaded when it is needed: once, and again where it could not be. */

import { assertEquals, assertRejects } from "@std/assert";
import { loadOnce } from "../src/load_once.ts";
import { test } from "./runner.ts";

test("load once: a load that failed is tried again, one that did not is kept", async () => {
  let loads = 0;
  const load = loadOnce(() => ++loads === 1 ? Promise.reject(new Error("canary")) : Promise.resolve(loads));
  await assertRejects(() => load(), Error, "canary");
  assertEquals([await load(), await load(), loads], [2, 2, 2]);
});
