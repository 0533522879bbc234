/** Each folder of tests that `deno task test` leaves out has a task of its own, and what runs everywhere is in one folder. */
import { assert, assertEquals } from "@std/assert";
import { chooseLanes } from "../../scripts/test/lanes.ts";
import { suiteOf, testedBuilding } from "../../scripts/test/suites.ts";
import { splitEvenly } from "../../scripts/test/durations.ts";
import { test } from "../runner.ts";

const durations = { secondsOf: () => 1, has: () => true, save() {} };
const placesOf = (file: string, suite?: string) =>
  chooseLanes([file], durations, { suite }).map(({ place }) => place);

test("suites: a file runs on Deno, one in tests/portable everywhere, and one in tests/browser once", () => {
  assertEquals(placesOf("tests/server/oauth/new_test.ts"), ["deno"]);
  assertEquals(placesOf("tests/portable/server/http/new_test.ts"), ["deno", "node 20", "node 22", "bun"]);
  assertEquals(placesOf("tests/browser/new_test.ts", "browser"), ["browser"]);
  assertEquals(placesOf("tests/portable/server/http/new_test.ts", "browser"), ["page", "worker"]);
});

test("suites: the tests of a building are in its folder and in its folder of tests/portable", () => {
  for (const building of ["server", "kit", "tools"] as const) {
    assertEquals(testedBuilding(`tests/${building}/http/new_test.ts`), building);
    assertEquals(testedBuilding(`tests/portable/${building}/http/new_test.ts`), building);
  }
  for (const path of ["security/", "servers/", "portable/", "long/server/"]) {
    assertEquals(testedBuilding(`tests/${path}new_test.ts`), undefined);
  }
});

test("suites: each suite has a task", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
  const commands = Object.values<{ command: string }>(tasks).map(({ command }) => command);
  for (const suite of ["browser", "long", "runners", "slow"]) {
    assertEquals(suiteOf(`tests/${suite}/new_test.ts`), suite);
    assert(commands.includes(`deno run --allow-all scripts/test.ts --suite ${suite}`), suite);
  }
});

test("suites: the files of a lane are split into parts that take equally long", () => {
  const seconds: Readonly<Record<string, number>> = { a: 5, b: 4, c: 3, d: 3, e: 1 };
  assertEquals(splitEvenly(Object.keys(seconds), 2, (file) => seconds[file]!), [["a", "d"], ["b", "c", "e"]]);
  assertEquals(splitEvenly(["a"], 2, () => 1), [["a"]]);
});
