/** .gitattributes lists the files that programs make, so that a diff shows them folded. `deno task docs --check` compares. */

import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { readFolded } from "../../scripts/made_files.ts";
import { test } from "../runner.ts";
import { findPages } from "./blocks.ts";

const attributes = readFileSync(".gitattributes", "utf8");
const isFolded = readFolded(attributes);

test("made files: a pattern of .gitattributes is for files of one folder, or for a name in any folder", () => {
  const isMade = readFolded("docs/a/*.md linguist-generated\n*.lock linguist-generated\n# b.md\nb.md text\n");
  const paths = ["docs/a/x.md", "docs/a/b/x.md", "docs/x.md", "x/docs/a/x.md", "x.lock", "a/x.lock", "b.md"];
  assertEquals(paths.filter(isMade), ["docs/a/x.md", "x.lock", "a/x.lock"]);
});

test("made files: each pattern of .gitattributes has a file", () => {
  const patterns = [...attributes.matchAll(/^([^#\s]\S*) /gm)].map(([, pattern = ""]) => pattern);
  const unused = patterns.filter((pattern) => {
    const folder = posix.dirname(pattern);
    const isOne = readFolded(`${pattern} linguist-generated\n`);
    return !readdirSync(folder).some((name) => isOne(posix.join(folder, name)));
  });
  assertEquals([patterns.length > 10, unused], [true, []]);
});

test("made files: a page that people write is not folded, and one that a program makes is", () => {
  const made = findPages().filter(isFolded);
  assert(made.includes("docs/examined_clients.md"));
  assertEquals(made.filter((page) => !/^docs\/(reference\/|examined_|real_flaws)/.test(page)), []);
  assertEquals(["static/agents.md", "static/postern.svg"].filter(isFolded), []);
});
