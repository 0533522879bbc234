/** The commands that Postern prints work as it was started. */

import { assertEquals } from "@std/assert";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import {
  listProgramWords,
  listWordsForAnyFolder,
  nameProgram,
  runsAsTask,
} from "../../../src/tools/cli/terminal/program.ts";
import { test } from "../../runner.ts";
import { inFolder } from "../../in_folder.ts";

const node = "/usr/bin/node";
const bun = "/home/me/.bun/bin/bun";
const main = "/home/me/postern/src/tools/cli/main.ts";
/** Another folder than that of the tests, however that is called. */
const sibling = `${basename(process.cwd()).replaceAll("'", "")} 2`;

const starts: readonly (readonly [entry: string, executable: string, expected: string])[] = [
  [main, "/usr/bin/deno", "deno task"],
  ["C:\\postern\\src\\tools\\cli\\main.ts", "C:\\deno\\deno.exe", "deno task"],
  [main, "/home/me/.npm/_npx/7a40be78/node_modules/deno/deno", "npx -y deno task"],
  [
    "C:\\postern\\src\\tools\\cli\\main.ts",
    "C:\\npm-cache\\_npx\\7a40be78\\node_modules\\deno\\deno.exe",
    "npx -y deno task",
  ],
  ["/home/me/shop/node_modules/.bin/postern", node, "npx postern"],
  ["C:\\shop\\node_modules\\postern\\cli.js", "C:\\Program Files\\nodejs\\node.exe", "npx postern"],
  ["/home/me/shop/node_modules/.bin/postern", bun, "bunx postern"],
  ["/usr/local/bin/postern", node, "postern"],
  [resolve("dist/npm/cli.js"), node, "node ./dist/npm/cli.js"],
  [resolve(`../${sibling}/cli.js`), bun, `bun '../${sibling}/cli.js'`],
  [resolve("it's $HOME/cli.js"), node, "postern"],
];

for (const [entry, executable, expected] of starts) {
  test(`program: ${entry} by ${executable} is started by ${expected}`, () => {
    assertEquals(nameProgram({ entry, executable, typed: "not this" }), expected);
  });
}

test("program: its words are without quotes for a program that no shell starts", () => {
  const entry = resolve("it's $HOME/cli.js");
  assertEquals(listProgramWords({ entry, executable: node, typed: "not this" }), [
    "node",
    "./it's $HOME/cli.js",
  ]);
});

test("program: an agent that starts it in any folder uses the Deno that npx has fetched, if this process does", () => {
  const wordsOf = (entry: string, executable: string) =>
    listWordsForAnyFolder({ entry, executable, typed: "not this" });
  const config = ["--quiet", "--config", "/home/me/postern/deno.json"];
  assertEquals(wordsOf(main, "/usr/bin/deno"), ["deno", "task", ...config]);
  const fetched = "/home/me/.npm/_npx/7a40be78/node_modules/deno/deno";
  assertEquals(wordsOf(main, fetched), ["npx", "-y", "deno", "task", ...config]);
  assertEquals(wordsOf("/home/me/shop/node_modules/.bin/postern", node), ["npx", "postern"]);
});

test("program: an executable is started as it was typed, if that needs no quotes, which PowerShell does not run", () => {
  const start = { entry: "/$bunfs/root/postern", executable: "/home/me/bin/postern" };
  for (const typed of ["postern", "./bin/postern"]) assertEquals(nameProgram({ ...start, typed }), typed);
  assertEquals(nameProgram({ ...start, typed: "./my bin/postern" }), "postern");
});

test("program: npx is told the same folder again, and the name of any other package", () =>
  inFolder(async (path) => {
    const bin = path("_npx/1/node_modules/.bin");
    const kept = path("_npx/1/node_modules/postern");
    const given = path("checkout/dist/npm");
    for (const each of [bin, kept, given]) await mkdir(each, { recursive: true });
    const link = async (name: string, folder: string) => {
      await writeFile(join(folder, "cli.js"), "");
      await symlink(join(folder, "cli.js"), join(bin, name));
      return nameProgram({ entry: join(bin, name), executable: node, typed: "node" });
    };
    assertEquals(await link("one", kept), "npx postern");
    const [, found = ""] = /^npx '?(\.[^']*)'?$/.exec(await link("two", given)) ?? [];
    assertEquals(resolve(process.cwd(), found), given);
  }));

test("program: only the sources run as a task", () => {
  assertEquals([runsAsTask({ entry: main }), runsAsTask({ entry: "/usr/bin/postern" })], [true, false]);
});
