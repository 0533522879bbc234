/** docs/reference says what the code does. `deno task docs --check` also compares the form. */

import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { writePage } from "../../scripts/reference/markdown.ts";
import { pages } from "../../scripts/reference/pages.ts";
import { published, writeAsPublished } from "../../scripts/published.ts";
import { test } from "../runner.ts";

/** `deno fmt` wraps lines, aligns tables, writes `*a*` as `_a_`, and ends a wrapped list with a comma. */
const listParts = (page: string) =>
  page.trim().split(/\n\n+/)
    .map((part) =>
      part.replaceAll(/\s/g, "").replaceAll(/-{3,}/g, "-").replaceAll("*", "_").replaceAll(",)", ")")
    );

for (const [name, describe] of Object.entries(pages)) {
  test(`reference: ${name}.md has what the code has`, async () => {
    const written = readFileSync(`docs/reference/${name}.md`, "utf8");
    const page = writePage(await describe());
    assertEquals(listParts(written), listParts(published ? writeAsPublished(page) : page));
  });
}
