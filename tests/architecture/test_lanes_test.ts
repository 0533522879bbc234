/** Each test file runs somewhere, and the lists of `scripts/test_lanes.ts` name files that exist. */
import { assert, assertEquals } from "@std/assert";
import { chooseLanes, listedPaths } from "../../scripts/test_lanes.ts";
import { test } from "../runner.ts";

const files = [...findTests("tests")];

function* findTests(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (path === "tests/browser" || path === "tests/slow") continue;
    if (isDirectory) yield* findTests(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}

const quick = { isWhole: false, isNamed: false };
const whole = { isWhole: true, isNamed: false };

const placesOf = (file: string, choice: typeof quick) => chooseLanes([file], choice).map(({ name }) => name);

test("lanes: a file that no list has runs on Deno in the quick suite, and on three runtimes in the whole one", () => {
  assertEquals(placesOf("tests/oauth/new_test.ts", quick), ["deno"]);
  assertEquals(placesOf("tests/oauth/new_test.ts", whole), ["deno", "node 20", "bun"]);
  assertEquals(placesOf("tests/portable/http/new_test.ts", quick), ["deno", "node 20", "bun"]);
  assertEquals(placesOf("tests/portable/http/new_test.ts", whole), ["deno", "node 20", "bun", "node 22"]);
});

test("lanes: the whole suite has each file, also wherever the quick suite has it", () => {
  assert(files.length > 300);
  for (const file of files) {
    const everywhere = placesOf(file, whole);
    assert(everywhere.length > 0, file);
    assertEquals(placesOf(file, quick).filter((name) => !everywhere.includes(name)), [], file);
  }
});

test("lanes: a named file runs, although the quick suite lacks it", () => {
  const thorough = files.filter((file) => placesOf(file, quick).length === 0);
  assert(thorough.length > 0);
  for (const file of thorough) {
    assert(chooseLanes([file], { isWhole: false, isNamed: true }).length > 0, file);
  }
});

test("lanes: each path of the lists leads to test files", () => {
  assertEquals(listedPaths.filter((path) => !files.some((file) => file.startsWith(path))), []);
});
