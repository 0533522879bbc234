/** The documents as they are after the first release. */

import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { published, writeAsPublished } from "../../scripts/published.ts";
import { commands } from "../../src/tools/cli/commands/commands.ts";
import { test } from "../runner.ts";
import { findPages, readBlocks } from "./blocks.ts";
import { findBrokenLinks } from "./links.ts";

const forUsers = new RegExp(`deno task (?:--quiet )?(?:${Object.keys(commands).join("|")}|help)\\b`);

for (const page of [...findPages(), "CHANGELOG.md", "SECURITY.md"]) {
  const now = readFileSync(page, "utf8");
  const then = writeAsPublished(now);

  test(`published: ${page} has no mark and no command of a checkout, and its links lead somewhere`, () => {
    assertEquals([...then.matchAll(/<!-- (?:before|after) the first release.*/g)].map(([mark]) => mark), []);
    const commands = then.split("\n").filter((line) => forUsers.test(line) && !line.includes("checkout"));
    assertEquals(commands, []);
    assertEquals(findBrokenLinks(page, then), []);
    readBlocks(page, then);
    assertEquals(writeAsPublished(then), then);
  });
}

test("published: the README gives the way from npm only after the first release", () => {
  const readme = readFileSync("README.md", "utf8");
  const shown = readme.replace(/^<!--[^]*?-->/gm, "");
  const way = "npm install --save-dev postern`";
  assertEquals([shown.includes(way), writeAsPublished(readme).includes(way)], [published, true]);
  assertEquals(shown.includes("npm install --save-dev ../postern/dist/"), !published);
  assert(writeAsPublished(readme).includes("$ npx postern start\n"));
});
