/** The list of what a page in the other tab can try: each test that it names exists. */

import { assert, assertEquals } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { test } from "../runner.ts";

const rows = readFileSync("tests/security/other_tab.md", "utf8").split("\n")
  .filter((line) => line.startsWith("|") && !/^\|\s*(-|the page\b)/.test(line))
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));

/** The names of the tests in a file. `…` stands for each expression in a name. */
function namesIn(source: string): readonly string[] {
  const texts = source.matchAll(/"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\]|\\.)+)`/g);
  return [...texts].map(([, plain, template]) => plain ?? template!.replace(/\$\{[^{}]*\}/g, "…"));
}

test("other tab: each row of the list names a test that exists", () => {
  assert(rows.length > 50);
  const missing = rows.filter(([, , cell = ""]) => {
    const [, file = "", name = ""] = /^`([\w./]+_test\.ts)`: (.+)$/.exec(cell) ?? [];
    const path = `tests/${file}`;
    return !existsSync(path) || !namesIn(readFileSync(path, "utf8")).includes(name);
  });
  assertEquals(missing, []);
});

test("other tab: each test of other_tab_test.ts has a row in the list", () => {
  const names = namesIn(readFileSync("tests/security/other_tab_test.ts", "utf8"))
    .filter((name) => name.startsWith("other tab: "));
  const listed = rows.map(([, , cell = ""]) => cell);
  assertEquals(names.filter((name) => !listed.includes(`\`security/other_tab_test.ts\`: ${name}`)), []);
  assert(names.length > 0);
});
