/** The versions of Node that pages name are those that the code and the packages need. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { draftVersions } from "../../src/server/pages/rule_link.tsx";
import { test } from "../runner.ts";

const readText = (name: string): Promise<string> => readFile(name, "utf8");

test("versions: the pages about SQLite name the Node that the store asks for", async () => {
  const [, version = ""] = /SQLite needs Node ([\d.]+) or later/.exec(
    await readText("src/server/store/sqlite.ts"),
  )!;
  for (const page of ["docs/runtimes.md", "docs/people_and_clients.md", "docs/write_a_store.md"]) {
    assert((await readText(page)).includes(version), page);
  }
});

test("versions: How it behaves names the drafts whose sections refusals name", async () => {
  const page = await readText("docs/how_it_behaves.md");
  for (const [draft, version] of Object.entries(draftVersions)) {
    assertMatch(page, new RegExp(`\`${draft}\`\\) +\\| ${version}\\b`));
  }
});

test("versions: Look like a provider names the versions of the SDKs in the tests", async () => {
  const { imports } = JSON.parse(await readText("dev.json")) as { readonly imports: Record<string, string> };
  const packages = Object.values(imports);
  const page = await readText("docs/look_like_a_provider.md");
  const rows = [...page.matchAll(/^\| ([\w@/-]+) +\| (\d[\d.]*) +\|/gm)];
  assertEquals(rows.length, 14);
  for (const [, name, version] of rows) {
    assert(
      packages.some((each) => each.endsWith(`/${name}@${version}`) || each === `npm:${name}@${version}`),
      name,
    );
  }
});

test("versions: the pages about Vitest name the Node that it needs", async () => {
  const { version, engines } = JSON.parse(await readText("node_modules/vitest/package.json")) as {
    readonly version: string;
    readonly engines: { readonly node: string };
  };
  for (const page of ["test_runners", "vitest_browser", "storybook"]) {
    const [, major, least] = /Vitest (\d+) needs Node ([\d.]+) or later/.exec(
      await readText(`docs/${page}.md`),
    )!;
    assertEquals([major, `^${least}.0`], [version.split(".")[0], engines.node.split(" ")[0]], page);
  }
});
