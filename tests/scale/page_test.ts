/** docs/scale.md has the tables that the counts, the measurements and the calculation give. */
import { assertEquals, assertThrows } from "@std/assert";
import { readFile } from "node:fs/promises";
import { writeParts } from "../../scripts/scale/page_parts.ts";
import { replaceParts } from "../../scripts/replace_parts.ts";
import { test } from "../runner.ts";

const readJson = async (name: string) => JSON.parse(await readFile(`scripts/scale/${name}.json`, "utf8"));
const advice = "Run `deno task scale` and commit the result";

test("scale: the page has the figures of the code and of the measurements", async () => {
  const page = await readFile("docs/scale.md", "utf8");
  const parts = writeParts(await readJson("measured_costs"), await readJson("measured_speeds"));
  for (const [name, part] of parts) {
    const shown = page.split(`<!-- ${name}: made by deno task scale -->`)[1]?.split("<!-- end -->")[0] ?? "";
    assertEquals(withoutLayout(shown), withoutLayout(part), `${name}: ${advice}`);
  }
});

test("scale: a part of the page that nothing makes is an error, and so is a missing part", () => {
  const page = "<!-- one: made by deno task scale -->\nold\n<!-- end -->\n";
  assertEquals(
    replaceParts(page, "scale", new Map([["one", "new"]])),
    "<!-- one: made by deno task scale -->\n\nnew\n\n<!-- end -->\n",
  );
  assertThrows(() => replaceParts(page, "scale", new Map()), Error, '"one"');
  assertThrows(() => replaceParts(page, "scale", new Map([["one", ""], ["two", ""]])), Error, "two");
});

/** `deno fmt` aligns tables and breaks lines. */
function withoutLayout(text: string): string {
  return text.replace(/-{3,}/g, "---").replace(/\s+/g, " ").trim();
}
