/** `deno task build` in a new checkout: which packages it fetches. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { start } from "../../tools/cli/command.ts";
import { inFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";
import { root, runtimes, succeed } from "../../package/project.ts";

const { links } = JSON.parse(await readFile(`${root}/dev.json`, "utf8")) as {
  readonly links: readonly string[];
};
const parts = ["src", "scripts", "static", ...links, "docs", "README.md", "LICENSE"];
const configuration = ["deno.json", "dev.json"];

test("build: it fetches the bundlers, the compiler and what it bundles for pages, and no package of the tests", () =>
  inFolder(async (path) => {
    await copyProject(path);
    await build(path);
    const built = await readdir(path("dist/npm"));
    assertEquals(["mod.js", "browser.js"].filter((name) => !built.includes(name)), []);
    const notices = await readFile(path("dist/npm/THIRD_PARTY_NOTICES"), "utf8");
    assertMatch(notices, /^This has code of .*\bpreact\b.*[^]*Copyright \(c\) 2015-present Jason Miller/);
    const packages = (await readdir(path("node_modules"))).filter((name) => !name.startsWith("."));
    assertEquals(packages.sort(), [
      "@noble",
      "esbuild",
      "jose",
      "preact",
      "preact-render-to-string",
      "rolldown",
      "typescript",
    ]);
  }));

test("build: when it fails, it leaves no package", () =>
  inFolder(async (path) => {
    await copyProject(path);
    await writeFile(path("src/tools/browser/mod.ts"), 'import "./missing.ts";\n');
    await assertRejects(() => build(path), Error, "Could not resolve './missing.ts'");
    assertEquals(await readdir(path("dist")), []);
  }));

async function copyProject(path: (name: string) => string): Promise<void> {
  for (const each of [...parts, ...configuration]) {
    await mkdir(dirname(path(each)), { recursive: true });
    await cp(`${root}/${each}`, path(each), { recursive: true });
  }
}

/** Without packages that Deno has already, because it links them all. */
function build(path: (name: string) => string): Promise<unknown> {
  return succeed(start(["task", "build"], { command: [runtimes.deno.path], cwd: path("") }));
}
