/** `deno task build` in a new checkout: which packages it fetches. */

import { assert, assertEquals } from "@std/assert";
import { cp, mkdir, readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { start } from "../../tools/cli/command.ts";
import { inFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";
import { root, runtimes, succeed } from "../../package/project.ts";

const parts = ["src", "scripts", "static", "tests/std_assert", "tests/next", "docs", "README.md", "LICENSE"];
const configuration = ["deno.json", "dev.json"];

test("build: it fetches esbuild and the compiler, and no package of the tests", () =>
  inFolder(async (path) => {
    for (const each of [...parts, ...configuration]) {
      await mkdir(dirname(path(each)), { recursive: true });
      await cp(`${root}/${each}`, path(each), { recursive: true });
    }
    await succeed(start(["task", "build"], { command: [runtimes.deno.path], cwd: path("") }));
    assert((await readdir(path("dist/npm"))).includes("mod.js"));
    const packages = (await readdir(path("node_modules"))).filter((name) => !name.startsWith("."));
    assertEquals(packages.sort(), ["esbuild", "typescript"]);
  }));
