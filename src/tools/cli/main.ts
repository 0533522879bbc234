/** The command line: finds the subcommand, runs it, and turns a failure into one line and an exit code. */

import process from "node:process";
import project from "../../../deno.json" with { type: "json" };
import type { Command } from "./terminal/command.ts";
import { CommandError } from "./terminal/command_error.ts";
import { commands } from "./commands/commands.ts";
import { keepCompiledCode } from "./compile_cache.ts";
import { describeCommand, describeCommands, describeFirstCommands } from "./terminal/help.ts";
import { nameProgram, runsAsTask } from "./terminal/program.ts";
import { nearest } from "../../ground/schema/nearest.ts";
import { printNotice, printText } from "./terminal/print_text.ts";

async function run([first = "start", ...rest]: readonly string[]): Promise<void> {
  if (asksForHelp(first)) return await printHelp(...rest.filter((word) => !asksForHelp(word)));
  if (first === "version" || [first, ...rest].some(asksForVersion)) {
    return printText(rest.includes("--json") ? describeVersion() : project.version);
  }
  // Flags without a command are flags of `start`.
  const [name, args] = first.startsWith("-") ? ["start", [first, ...rest]] : [first, rest];
  if (args.some((word) => word === "--help" || word === "-h")) return await printHelp(name);
  await (await findCommand(name)).run(args);
}

function asksForHelp(word: string): boolean {
  return word === "help" || word === "--help" || word === "-h";
}

function asksForVersion(word: string): boolean {
  return word === "--version" || word === "-V" || word === "-v";
}

/** A program that looks for Postern asks so, because other programs have the same name. */
function describeVersion(): string {
  return JSON.stringify({ product: "postern-oauth-server", version: project.version });
}

async function findCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  keepCompiledCode();
  if (load !== undefined) return await load();
  const guess = nearest(name, [...Object.keys(commands), "help"]);
  const problem = `there is no command ${JSON.stringify(name)}${guess ? `: did you mean ${guess}?` : ""}`;
  throw new CommandError([problem, ...describeFirstCommands(nameProgram())].join("\n"));
}

async function printHelp(...words: readonly string[]): Promise<void> {
  const program = nameProgram();
  const [name = ""] = words;
  if (words.length === 1 && Object.hasOwn(commands, name)) {
    return printText(describeCommand(await findCommand(name), program));
  }
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  if (words.length === 0) return printText(describeCommands(all, program, { isTask: runsAsTask() }));
  const { explainWord } = await import("./commands/explain_word.ts");
  printText(explainWord(words.join(" "), all));
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  if (!error.isReported) printNotice(`postern: ${error.message}`);
  process.exit(error.exitCode);
}
