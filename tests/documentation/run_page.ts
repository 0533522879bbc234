/** Runs all that a page of the documentation shows: its blocks in their order. */

import { writeFile } from "node:fs/promises";
import { findFreePort } from "../free_port.ts";
import { createFolder } from "../in_folder.ts";
import { inProject, type Project, runtimes, runToEnd } from "../package/project.ts";
import { configurePlaywright, type TestRunner, testRunners } from "../package/test_runners.ts";
import type { Block, Way } from "./blocks.ts";
import { checks } from "./check_text.ts";
import { compareOutput, findMissingLine } from "./compare_output.ts";
import { openShell, readCommands, type Shell, startsServer } from "./console.ts";
import { findPackages, writeDenoConfiguration, writePrograms } from "./page_project.ts";
import { type Program, readPrints, readPrograms } from "./programs.ts";

const { bun, currentNode, deno, obtainRuntime, oldestNode } = runtimes;

/** Returns the faults, each with its place. */
export async function runPage(pageBlocks: readonly Block[]): Promise<readonly string[]> {
  const { blocks, port, original } = await useFreePorts(pageBlocks);
  const programs = readPrograms(blocks);
  const faults: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      faults.push(original(`${what}: ${error instanceof Error ? error.message : error}`));
    }
  };
  await inProject({ packages: await findPackages(blocks) }, async (project) => {
    await writeDenoConfiguration(project);
    await writePrograms(project.folder, blocks, programs);
    const configuration = blocks.find(({ name }) => /^playwright\.config\.\w+$/.test(name ?? ""))?.name;
    await writeFile(project.path(browserConfiguration), configurePlaywright(configuration));
    await using path = await createFolder();
    const shell = await openShell({ folder: project.folder, programs: path("bin"), port });
    try {
      for (const [index, block] of blocks.entries()) {
        const { place, language } = block;
        const next = blocks[index + 1];
        const output = next?.words.includes("output") === true ? original(next.text) : undefined;
        await attempt(place, async () => await checks[language]?.(block));
        const runs = programs.filter((program) => program.block === block).flatMap((program) =>
          program.ways.map((way) =>
            attempt(`${place} (${way})`, () => runProgram(project, program, way, output))
          )
        );
        await Promise.all(runs);
        await attempt(place, async () => await runners[language]?.({ shell, block, original, output }));
      }
    } finally {
      await shell.close();
    }
  });
  return faults;
}

interface PageText {
  readonly blocks: readonly Block[];
  /** The port in the place of 9000. */
  readonly port: number;
  /** Puts the documented ports back into an output. */
  readonly original: (text: string) => string;
}

/** Replaces the ports in the texts of a page, because other programs may use them. */
async function useFreePorts(blocks: readonly Block[]): Promise<PageText> {
  const found = blocks.flatMap(({ text }) =>
    [...text.matchAll(/(?<=(?:localhost|127\.0\.0\.1|\[::1\]):|--port[ =]|listen\()\d{4,5}\b/g)].map((
      [port],
    ) => port)
  );
  const ports = new Map<string, string>();
  for (const port of new Set(["9000", ...found])) ports.set(port, `${await findFreePort()}`);
  const replace = (text: string, pairs: Iterable<readonly [string, string]>) =>
    [...pairs].reduce((rest, [from, to]) => rest.replace(new RegExp(`\\b${from}\\b`, "g"), to), text);
  const backwards = [...ports].map(([from, to]) => [to, from] as const);
  return {
    blocks: blocks.map((block) => ({ ...block, text: replace(block.text, ports) })),
    port: Number(ports.get("9000")),
    original: (text) => replace(text, backwards),
  };
}

const browserConfiguration = "browser_of_this_machine.config.mjs";

async function runProgram(
  project: Project,
  { name, prints, fails }: Program,
  way: Way,
  documented: string | undefined,
): Promise<void> {
  const { command, passed, failed } = await findCommand(way, name);
  const program = { command, cwd: project.folder };
  if (fails) {
    const output = await runToEnd([name], program).then(() => undefined, ({ message }: Error) => message);
    if (output === undefined) throw new Error("it does not fail");
    if (failed !== undefined && !failed.test(output)) throw new Error(`no test failed:\n${output}`);
    return requirePrinted(output, prints, documented);
  }
  const { stdout, stderr } = await runToEnd([name], program);
  if (passed !== undefined && !passed.test(stdout + stderr)) {
    throw new Error(`no test ran, or one failed:\n${stdout}${stderr}`);
  }
  requirePrinted(stdout, prints, documented);
}

function requirePrinted(output: string, prints: readonly string[], documented: string | undefined): void {
  const missing = findMissingLine(output, prints);
  if (missing !== undefined) throw new Error(`it does not print ${missing}\nOutput:\n${output}`);
  const difference = documented === undefined ? undefined : compareOutput(output, documented);
  if (difference !== undefined) throw new Error(difference);
}

interface Run {
  readonly command: readonly [string, ...string[]];
  readonly passed?: RegExp;
  readonly failed?: RegExp;
}

/** JavaScript runs on the oldest Node, and TypeScript on one that removes types. */
async function findCommand(way: Way, name: string): Promise<Run> {
  const isTyped = /\.[cm]?tsx?$/.test(name);
  switch (way) {
    case "node":
      return { command: [(await obtainRuntime(isTyped ? currentNode : oldestNode)).path] };
    case "bun":
      return { command: [(await obtainRuntime(bun)).path, "run"] };
    case "deno":
      return { command: [deno.path, "run", "--no-prompt", "--allow-all"] };
    case "deno:test":
      return withArguments(await testRunners[way](), "--allow-all", "--no-check");
    case "bun:test":
      return withArguments(await testRunners[way](), "--timeout=60000");
    case "playwright":
      return withArguments(await testRunners[way](), `--config=${browserConfiguration}`);
    case "node:test":
      return await testRunners[isTyped ? way : "node:test, oldest"]();
    case "vitest":
      return await testRunners[way]();
  }
}

function withArguments(runner: TestRunner, ...more: readonly string[]): Run {
  return { ...runner, command: [...runner.command, ...more] };
}

interface BlockRun {
  readonly shell: Shell;
  readonly block: Block;
  readonly original: (text: string) => string;
  readonly output: string | undefined;
}

/** Runs the blocks in other languages. */
const runners: Readonly<Record<string, (run: BlockRun) => Promise<void>>> = {
  console: runConsole,
  async python(run) {
    const { block: { name = "", words }, shell } = run;
    if (!words.includes("by-hand")) {
      return await runFile(
        run,
        words.includes("unittest") ? `python3 -m unittest ${name}` : `python3 ${name}`,
      );
    }
    if (name !== "") await requireSuccess(shell, `python3 -m py_compile ${name}`);
  },
  async java(run) {
    const { name = "", words } = run.block;
    if (!words.includes("by-hand")) await runFile(run, `java ${name}`);
  },
};

async function runFile({ shell, block, original, output }: BlockRun, command: string): Promise<void> {
  const printed = original(await requireSuccess(shell, command));
  requirePrinted(printed, readPrints(original(block.text)), output);
}

async function requireSuccess(shell: Shell, command: string): Promise<string> {
  const { code, output } = await shell.run(command);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`);
  return output;
}

/** A line for a request is printed later, when the reader tries something. */
const requestLine = /^(?:\d{3} +)?\d\d:\d\d:\d\d /m;

/** A reader's curl does not print this line, because it has no `--fail-with-body`. */
const curlError = /^curl: \(22\) .*\n/m;

async function runConsole({ shell, block, original }: BlockRun): Promise<void> {
  if (block.words.includes("by-hand")) return;
  for (const { command, output } of readCommands(block.text)) {
    const shown = original(output);
    if (startsServer(command)) {
      const printed = original((await shell.serve(command)).stdout());
      const difference = shown.trim() === ""
        ? undefined
        : compareOutput(printed, shown.split(requestLine)[0]!);
      if (difference !== undefined) throw new Error(difference);
      continue;
    }
    if (shown.trim() === "") await requireSuccess(shell, command);
    else {
      const printed = (await shell.run(command)).output.replace(curlError, "");
      const difference = compareOutput(original(printed), shown);
      if (difference !== undefined) throw new Error(`${original(command)}: ${difference}`);
    }
  }
}
