/** Runs the command line as a process: from the sources on Deno, from a bundle on Node and Bun. */

import { assertRejects } from "@std/assert";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Command } from "../../../src/tools/cli/terminal/command.ts";
import { CommandError } from "../../../src/tools/cli/terminal/command_error.ts";
import { nameProgram } from "../../../src/tools/cli/terminal/program.ts";
import { findFreePort } from "../../free_port.ts";
import { createFolder } from "../../in_folder.ts";
import { runtime } from "../../runner.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Everything printed so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when standard output or standard error matches; rejects when the process ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: "SIGTERM" | "SIGINT"): void;
  /** Ends the standard input of a program that has one. */
  endInput?(): void;
  readonly ended: Promise<Ended>;
}

export interface RunningServer extends Running {
  readonly port: number;
  readonly issuer: string;
}

/** False on Node 20. */
export const hasSqlite: boolean = await import("node:sqlite").then(() => true, () => false);

// The permissions and the lock of the command's task, so that a test fails when they are not enough.
const { permissions } = JSON.parse(readFileSync("deno.json", "utf8")) as { readonly permissions: object };

function listDenoFlags([command = "start"]: readonly string[]): readonly string[] {
  const set = command === "mcp" ? "examine" : Object.hasOwn(permissions, command) ? command : "start";
  const lock = set === "start" || command === "mcp" ? ["--lock=scripts/start.lock"] : [];
  return ["run", "--no-prompt", "--quiet", ...lock, `-P=${set}`];
}

const entry = runtime === "deno"
  ? fileURLToPath(new URL("../../../src/tools/cli/main.ts", import.meta.url))
  // this module is in a chunk beside it, or in the bundle of the test in a folder below
  : ["./", "../", "../../", "../../../", "../../../../"]
    .map((folder) => fileURLToPath(new URL(`${folder}postern.js`, import.meta.url))).find(existsSync)!;

/** What a printed command begins with. Deno may be the one that npx fetched. */
export const program: string = nameProgram({
  entry,
  executable: process.execPath,
  typed: process.argv0,
});

/** A program, and how it is started. */
export interface Program {
  readonly command: readonly [path: string, ...before: string[]];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Signals go to all processes that it started, too, as from a terminal: npx does not pass them on. */
  readonly asGroup?: true;
  /** The program gets a standard input, which stays open. */
  readonly withInput?: true;
}

/** The command line, as it is started for these arguments. */
export function createProgram(args: readonly string[], env: NonNullable<Program["env"]> = {}): Program {
  return { command: [process.execPath, ...(runtime === "deno" ? listDenoFlags(args) : []), entry], env };
}

export function start(args: readonly string[], program: Program = createProgram(args)): Running {
  const { command: [path, ...before], cwd, env, asGroup = false, withInput = false } = program;
  const child = spawn(path, [...before, ...args], {
    // a bundle of the tests has other names each time, and would leave its code in the folder of the developer
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1", NO_COLOR: "1", ...env },
    stdio: [withInput ? "pipe" : "ignore", "pipe", "pipe"],
    detached: asGroup,
    ...(cwd === undefined ? {} : { cwd }),
  });
  return watch(child, asGroup);
}

/** The PATH is this folder only. On Deno, only the programs `allowed` may be run. */
export function startIn(folder: string, args: readonly string[], allowed: readonly string[] = []): Running {
  const { command: [path, ...before] } = createProgram(args);
  // this flag replaces the programs of the permission set
  const mayRun = `--allow-run=${allowed.map((name) => join(folder, name)).join()}`;
  const flags = before.toSpliced(-1, 0, ...(runtime === "deno" && allowed.length > 0 ? [mayRun] : []));
  return start(args, { command: [path, ...flags], env: { PATH: folder, DISPLAY: ":7" } });
}

export async function runWith(env: NonNullable<Program["env"]>, ...args: readonly string[]): Promise<Ended> {
  return await start(args, createProgram(args, env)).ended;
}

function watch(child: ChildProcess, asGroup: boolean): Running {
  const { add, stdout, stderr, printed } = createOutput();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => add(name, text));
  }
  const ended = new Promise<Ended>((resolve) =>
    child.once("close", (code) => resolve({ code, stdout: stdout(), stderr: stderr() }))
  );
  return {
    stdout,
    stderr,
    async printed(pattern) {
      const tooEarly = ended.then(({ code, stdout, stderr }): never => {
        throw new Error(`The program ended with ${code} and did not print ${pattern}:\n${stdout}${stderr}`);
      });
      tooEarly.catch(() => {});
      return await Promise.race([printed(pattern), tooEarly]);
    },
    signal(name) {
      // not `child.kill`: on Deno, the exit code after it is that of a killed process
      if (!asGroup && child.exitCode === null) process.kill(child.pid!, name);
      if (asGroup) signalGroup(child.pid!, name);
    },
    endInput: () => void child.stdin?.end(),
    ended,
  };
}

/** What a program has printed so far. */
export interface Output extends Pick<Running, "stdout" | "stderr" | "printed"> {
  add(name: "stdout" | "stderr", text: string): void;
}

export function createOutput(): Output {
  const texts = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  return {
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    add(name, text) {
      texts[name] += text;
      waiting.forEach((look) => look());
    },
    printed: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          const match = pattern.exec(texts.stdout) ?? pattern.exec(texts.stderr);
          if (match === null) return;
          waiting.delete(look);
          resolve(match);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Signals the processes of a group that still run. Its first one may have ended. */
export function signalGroup(id: number, name: "SIGTERM" | "SIGINT" | "SIGKILL"): void {
  try {
    process.kill(-id, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Runs the command line to its end. */
export async function run(...args: readonly string[]): Promise<Ended> {
  return await start(args).ended;
}

/** The exit code and the message of a command that fails in this process. */
export async function complaintOf(command: Command, ...args: readonly string[]): Promise<string> {
  const { message, exitCode } = await assertRejects(() => command.run(args), CommandError);
  return `${exitCode}: ${message}`;
}

/** Starts a server on a free port, does the work, and stops the server. */
export async function withServer(
  args: readonly string[],
  work: (server: RunningServer) => Promise<void>,
  program?: Program,
): Promise<Ended> {
  const port = await findFreePort();
  // an RSA key takes longer to generate than the test takes
  const running = start(["start", "--port", `${port}`, "--alg", "ES256", ...args], program);
  let signalled = false;
  const signal: Running["signal"] = (name) => {
    signalled = true;
    running.signal(name);
  };
  try {
    const [, issuer = ""] = await running.printed(/^ {2}Issuer\s+(\S+)$/m);
    await work({ ...running, signal, port, issuer });
  } finally {
    // a second signal would end it immediately, and SIGTERM leaves open connections up to a second
    if (!signalled) signal("SIGINT");
    await running.ended;
  }
  return await running.ended;
}

/** Writes a configuration file into a folder of its own. */
export async function withFile(
  configuration: object,
  work: (file: string) => Promise<void>,
): Promise<void> {
  await using path = await createFolder();
  await writeFile(path("postern.json"), JSON.stringify(configuration));
  await work(path("postern.json"));
}
