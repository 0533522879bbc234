/** The documentation of the kit: its table names existing methods. */

import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { createMock, hookTable } from "../../src/mock/mod.ts";
import { test } from "../runner.ts";

const names = ["test_a_login", "test_refresh_races", "test_an_api", "reference/test_kit", "over_http"];
const pages = await Promise.all(names.map((name) => readFile(`docs/${name}.md`, "utf8")));
const text = pages.join("\n");
const kit = pages[3]!;

test("readme, kit: a mock has every method of the table", async () => {
  await using as = await createMock();
  const named = [...kit.matchAll(/`as\.([a-z]+)/gi)].map(([, name = ""]) => name);
  assert(named.length > 20, `${named.length}`);
  for (const name of named) assert(name in as, name);
  const methods = Object.keys(as).filter((name) =>
    !["issuer", "fetch", "answer", "close", "browser", "authorizeForm"].includes(name)
  );
  assertEquals(methods.filter((name) => !named.includes(name) && !text.includes(`as.${name}`)), []);
});

test("readme: every hook is named where the control plane explains hooks", () => {
  const [, sentence = ""] = /(A hook is a merge patch [^]*?)\. In/.exec(text) ?? [];
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  assertEquals(named, Object.keys(hookTable));
});
