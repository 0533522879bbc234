/** What examine reads of a test command's output, and the drivers that it writes. */

import process from "node:process";
import { writeDriver } from "../../../../src/tools/cli/examine/drivers.ts";
import { createRunKeeper } from "../../../../src/tools/cli/examine/kept_runs.ts";
import { findTellingLine, readOutput } from "../../../../src/tools/cli/examine/read_output.ts";
import { inFolder } from "../../../in_folder.ts";
import { test } from "../../../runner.ts";
import { assertKept } from "../assert_kept.ts";

test("output: the lines of a test command that say what failed, and the one that says most", () =>
  assertKept("outputs", (given) => {
    const lines = readOutput(JSON.parse(given));
    return [...lines, ...lines.length === 0 ? [] : [`> ${findTellingLine(lines)}`]].join("\n");
  }));

test("drivers: what examine --init writes and shows, line by line", () =>
  assertKept("drivers", async (name) => {
    const folder = process.cwd();
    let text = "";
    await inFolder(async (path) => {
      process.chdir(path(""));
      text = await writeDriver(name).finally(() => process.chdir(folder));
    });
    return text;
  }));

test("kept runs: an examination that needed no run has no file to remove", () =>
  createRunKeeper([], []).end(true));
