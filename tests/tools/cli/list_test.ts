/** What the parts of the command line print and accept, line by line: flags, help, the banner, drivers, metrics. */

import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import process from "node:process";
import project from "../../../deno.json" with { type: "json" };
import type { Configuration } from "../../../src/mod.ts";
import type { Schema } from "../../../src/ground/schema/schema.ts";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import { readSettings } from "../../../src/server/setup/read_settings.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import { commands } from "../../../src/tools/cli/commands/commands.ts";
import { writeDriver } from "../../../src/tools/cli/examine/drivers.ts";
import { findTellingLine, readOutput } from "../../../src/tools/cli/examine/read_output.ts";
import { createRegistry } from "../../../src/tools/cli/metrics/exposition.ts";
import { type BannerOptions, describeServer, summariseServer } from "../../../src/tools/cli/start/banner.ts";
import { describeRecords } from "../../../src/tools/cli/start/snapshot_records.ts";
import { createColours } from "../../../src/tools/cli/terminal/colours.ts";
import type { Flag } from "../../../src/tools/cli/terminal/flags.ts";
import {
  describeCommand,
  describeCommands,
  describeFirstCommands,
} from "../../../src/tools/cli/terminal/help.ts";
import { inFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";
import { withEnvironment } from "./in_process.ts";
import { assertKept } from "./assert_kept.ts";

const all = await Promise.all(Object.values(commands).map((load) => load()));
const find = (name: string) => all.find(({ usage }) => usage.split(" ")[0] === name)!;

const values = readFileSync("tests/tools/cli/lists/flag_values.txt", "utf8").trimEnd().split("⏎");
const shorten = (text: string) => text.length < 20 ? `"${text}"` : `"${text.slice(-4)}" of ${text.length}`;

function describeFlag(name: string, { accepts, readOption, help: _help, ...facts }: Flag): string {
  const taken = accepts === undefined ? [] : values.filter(accepts).map(shorten);
  const read = readOption === undefined ? "" : `a,b is ${JSON.stringify(readOption("a,b"))}`;
  return [`--${name}`, JSON.stringify(facts), read, ...taken].filter((part) => part !== "").join(" ");
}

test("flags: each has its facts, and takes the values that it says", async () => {
  const listed: string[] = [];
  await assertKept("flags", (name) => {
    listed.push(name);
    return Object.entries(find(name).flags).map((each) => describeFlag(...each)).join("\n");
  });
  assertEquals(listed, Object.keys(commands));
});

const helps: Readonly<Record<string, () => string>> = {
  "deno task help": () => describeCommands(all, "deno task", { isTask: true }),
  "npx postern help": () => describeCommands(all, "npx postern", { isTask: false }),
  "an unknown command": () => describeFirstCommands("npx postern").join("\n"),
};

test("help: that of each command, and of all, line by line", () =>
  assertKept("help", (name) => helps[name]?.() ?? describeCommand(find(name), "npx postern")));

const plain = createColours({});
const named = Object.fromEntries(
  Object.keys(plain).map((name) => [name, (text: string) => `<${name} ${text}>`]),
) as unknown as typeof plain;

test("banner: each server is described line by line, and summarised for a program", () =>
  assertKept("banner", (given) => {
    const [configuration, more = {}, isPainted = false]: readonly [
      Configuration,
      Partial<BannerOptions>?,
      boolean?,
    ] = JSON.parse(given);
    const terms: BannerOptions = {
      settings: readSettings(configuration, gatherSlots(defaultFeatures(configuration))),
      configuration,
      ...{ listensAt: "localhost:9000", store: "memory", form: "env", isReached: false },
      ...{ program: "deno task", printCommand: ["deno task print NAME"] },
      ...more,
    };
    const text = describeServer(terms, isPainted ? named : plain);
    return `${text}\n${JSON.stringify(summariseServer(terms))}`.replaceAll(project.version, "VERSION");
  }));

test("colours: they are for a terminal, and the environment decides (no-color.org)", () =>
  assertKept("colours", (given) => {
    const { isTTY, ...env } = JSON.parse(given);
    return withEnvironment({ NO_COLOR: "", FORCE_COLOR: "", TERM: "xterm", ...env }, () => {
      const painted = Object.entries(createColours({ isTTY })).map(([name, paint]) => paint(name));
      return Promise.resolve(painted.join(" ").replaceAll("\x1b", "ESC"));
    });
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

test("output: the lines of a test command that say what failed, and the one that says most", () =>
  assertKept("outputs", (given) => {
    const lines = readOutput(JSON.parse(given));
    return [...lines, ...lines.length === 0 ? [] : [`> ${findTellingLine(lines)}`]].join("\n");
  }));

test("metrics: counters, histograms and gauges as text", () =>
  assertKept("metrics", (given) => {
    const { counter, histogram, gauge, format } = createRegistry();
    const count = counter("c", "C\\ counts\nthem.", ["l", "m"]);
    const observe = histogram("h", "H", ["l"], [0.5, 1]);
    gauge("g", "G", () => 7);
    gauge("i", "I", () => 1, { version: '"' });
    for (const [value, ...labels] of JSON.parse(given)) {
      typeof value === "number" ? observe(value, ...labels) : count(value, ...labels);
    }
    return format();
  }));

test("snapshot: the schema of each kind of record", () => {
  const { items } = describeRecords(gatherSlots(defaultFeatures(everyFeature)));
  const schemas = (items as Schema).anyOf!.map(({ properties }) => JSON.stringify(properties));
  return assertKept(
    "snapshot_records",
    (kind) => schemas.find((text) => text.startsWith(`{"kind":{"const":"${kind}"`))!,
  );
});
