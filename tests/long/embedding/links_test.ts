/**
 * A Deno project beside the checkout, configured as in the README, is checked and runs. Deno then checks our sources
 * with the compiler options of that project, so they must compile with Deno's defaults.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { cp, writeFile } from "node:fs/promises";
import { inFolder } from "../../in_folder.ts";
import { readPage } from "../../documentation/blocks.ts";
import { root, runtimes, runToEnd } from "../../package/project.ts";
import { test } from "../../runner.ts";

async function runInLinkedProject(...args: readonly string[]): Promise<string> {
  const block = readPage("README.md").find(({ name }) => name === "deno.json");
  const { links, ...configuration } = JSON.parse(block?.text ?? "") as { readonly links: readonly string[] };
  assertEquals(links, ["../postern"]);
  let said = "";
  await inFolder(async (path) => {
    for (const sources of ["examples/links", "types"]) {
      await cp(`${root}tests/long/embedding/${sources}`, path("."), { recursive: true });
    }
    await writeFile(path("deno.json"), JSON.stringify({ ...configuration, links: [root] }));
    const { stdout } = await runToEnd(args, { command: [runtimes.deno.path], cwd: path(".") });
    said = stdout;
  });
  return said;
}

test("links: Deno runs a test that uses the test kit of the checkout", async () => {
  // The next test checks its types, and those of our sources.
  const said = await runInLinkedProject("test", "--no-prompt", "--no-check", "login.test.mts");
  assertMatch(said, /^ok \| 1 passed \| 0 failed/m);
});

test("links: correct uses compile and misuses do not, as with the package", async () => {
  await runInLinkedProject(
    "check",
    "login.test.mts",
    "uses.mts",
    "misuses.mts",
    "server_uses.mts",
    "deno.mts",
  );
});
