/** Each folder of tests that `deno task test` leaves out has a task of its own, and what runs everywhere is in one folder. */
import { assert, assertEquals } from "@std/assert";
import { chooseLanes } from "../../scripts/test/lanes.ts";
import { currentNode, findVersion, variablesOf } from "../../scripts/runtimes.ts";
import { suiteOf, testedBuilding } from "../../scripts/test/suites.ts";
import { splitEvenly } from "../../scripts/test/durations.ts";
import { test } from "../runner.ts";

const durations = { secondsOf: () => 1, has: () => true, save() {} };
const placesOf = async (file: string, suites?: readonly string[], on?: string) =>
  (await chooseLanes([file], durations, { suites, on })).map(({ place }) => place);

test("suites: a file runs on Deno, one in tests/portable everywhere, and one in tests/browser once", async () => {
  const portable = "tests/portable/server/http/new_test.ts";
  const [major] = (await findVersion(currentNode)).split(".");
  assertEquals(await placesOf("tests/server/oauth/new_test.ts"), ["deno"]);
  assertEquals(await placesOf(portable), ["deno", "node 20", `node ${major}`, "bun"]);
  assertEquals(await placesOf(portable, ["test"], "node"), ["node 20", `node ${major}`]);
  assertEquals(await placesOf(portable, ["test"], "node 20"), ["node 20"]);
  assertEquals(await placesOf("tests/browser/new_test.ts", ["browser"]), ["browser"]);
  for (const suites of [["browser"], ["long", "browser"]]) {
    assertEquals(await placesOf(portable, suites), ["page", "worker"]);
  }
  const [newest, ...others] = await placesOf(portable, ["long", "newest"]);
  assert(Number(newest!.replace("node ", "")) >= Number(major), newest);
  assertEquals(others, []);
});

test("suites: a place of Node has the name of the version that runs there, on the PATH or from npm", async () => {
  const wanted = { ...currentNode, version: "22.99.0" };
  assertEquals(await findVersion({ ...wanted, suits: () => false }), "22.99.0");
  const installed = await findVersion({ ...wanted, suits: () => true });
  assertEquals(await findVersion({ ...wanted, suits: (version) => version === installed }), installed);
});

test("suites: a Node that is newer than ours may call something deprecated, and no other may", () => {
  const quiet = { NODE_OPTIONS: "--disable-warning=DeprecationWarning" };
  const versions = [
    ["node", "26.10.0", quiet],
    ["node", "100.0.0", quiet],
    ["node", "22.23.3", {}],
    ["node", "20.20.2", {}],
    ["deno", "26.0.0", {}],
    ["bun", "26.0.0", {}],
  ] as const;
  for (const [name, version, expected] of versions) {
    assertEquals(variablesOf({ name, version }), expected, `${name} ${version}`);
  }
});

test("suites: the tests of a building are in its folder and in its folder of tests/portable", () => {
  for (const building of ["ground", "server", "kit", "tools"] as const) {
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
  }
  for (const suite of ["browser", "long", "newest", "runners", "slow"]) {
    assert(commands.includes(`deno run --allow-all scripts/test.ts --suite ${suite}`), suite);
  }
});

test("suites: the files of a lane are split into parts that take equally long", () => {
  const seconds: Readonly<Record<string, number>> = { a: 5, b: 4, c: 3, d: 3, e: 1 };
  assertEquals(splitEvenly(Object.keys(seconds), 2, (file) => seconds[file]!), [["a", "d"], ["b", "c", "e"]]);
  assertEquals(splitEvenly(["a"], 2, () => 1), [["a"]]);
});
