/** What examine reads of a test command's output, and the drivers that it writes. */

import { assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import process from "node:process";
import { writeDriver } from "../../../../src/tools/cli/examine/drivers.ts";
import { createRunKeeper, keptRunsFile } from "../../../../src/tools/cli/examine/kept_runs.ts";
import { findTellingLine, readOutput } from "../../../../src/tools/cli/examine/read_output.ts";
import { inFolder } from "../../../in_folder.ts";
import { test } from "../../../runner.ts";
import { assertKept } from "../assert_kept.ts";

test("output: the lines of a test command that say what failed, and the one that says most", () =>
  assertKept("outputs", (given) => {
    const lines = readOutput(JSON.parse(given));
    return [...lines, ...lines.length === 0 ? [] : [`> ${findTellingLine(lines)}`]].join("\n");
  }));

async function inNewFolder<Value>(work: () => Promise<Value>): Promise<Value> {
  const folder = process.cwd();
  const values: Value[] = [];
  await inFolder(async (path) => {
    process.chdir(path(""));
    values.push(await work().finally(() => process.chdir(folder)));
  });
  return values[0]!;
}

test("drivers: what examine --init writes and shows, line by line", () =>
  assertKept("drivers", (name) => inNewFolder(() => writeDriver(name))));

test("kept runs: a complete examination leaves no file, also if it needed no run", () =>
  inNewFolder(async () => {
    const { add, end } = createRunKeeper([], []);
    await end(true);
    await add({} as never);
    await end(true);
    assertEquals(existsSync(keptRunsFile), false);
  }));
