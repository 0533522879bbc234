/** docs/reference says what the code does. `deno task docs --check` also compares the form, and the pages left out here. */

import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { writePage } from "../../scripts/reference/markdown.ts";
import { pages } from "../../scripts/reference/pages.ts";
import { published, writeAsPublished } from "../../scripts/published.ts";
import { test } from "../runner.ts";

/** They ask the compiler, which takes seconds. */
const slow = ["configuration", "lifetimes", "test_kit"];

/** `deno fmt` wraps lines, aligns tables and writes `*a*` as `_a_`. */
const listParts = (page: string) =>
  page.trim().split(/\n\n+/)
    .map((part) => part.replaceAll(/\s/g, "").replaceAll(/-{3,}/g, "-").replaceAll("*", "_"));

for (const [name, describe] of Object.entries(pages).filter(([name]) => !slow.includes(name))) {
  test(`reference: ${name}.md has what the code has`, async () => {
    const written = readFileSync(`docs/reference/${name}.md`, "utf8");
    const page = writePage(await describe());
    assertEquals(listParts(written), listParts(published ? writeAsPublished(page) : page));
  });
}
