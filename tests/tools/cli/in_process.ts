/**
 * Runs the command line in this process, with the functions of `command.ts`: what a command prints and its exit code
 * without the start of a program. Permissions, signals of the system and pipes need a program.
 */

import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { testKeysFor } from "../../../src/kit/mock/server/test_keys.ts";
import { findFreePort } from "../../free_port.ts";
import {
  createOutput,
  type Ended,
  type Output,
  type Running,
  type RunningServer,
  withFile,
} from "./command.ts";

type Environment = Readonly<Record<string, string>>;

/** Thrown in place of the end of the process. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit code ${code}`);
  }
}

let last: Promise<unknown> = Promise.resolve();

interface Place {
  readonly env?: Environment;
  readonly cwd?: string;
}

/** Starts a command. Each one waits for the one before, because the console and the environment are replaced. */
export function start(args: readonly string[], { env = {}, cwd = "." }: Place = {}): Omit<Running, "signal"> {
  const output = createOutput();
  const { stdout, stderr, printed } = output;
  const ended = last.then(async (): Promise<Ended> => {
    using _console = replaceConsole(output);
    using _streams = args[0] === "start" ? replaceStreams(output) : undefined;
    using _exit = replaceExit();
    using _added = watchListeners(["SIGINT", "SIGTERM"]);
    const folder = process.cwd();
    process.chdir(cwd);
    try {
      const code = await withEnvironment(env, () => runMain(args));
      return { code, stdout: stdout(), stderr: stderr() };
    } finally {
      process.chdir(folder);
    }
  });
  last = ended.catch(() => {});
  return { stdout, stderr, printed, ended };
}

export async function run(...args: readonly string[]): Promise<Ended> {
  return await start(args).ended;
}

export async function runWith(env: Environment, ...args: readonly string[]): Promise<Ended> {
  return await start(args, { env }).ended;
}

const entry = new URL("../../../src/tools/cli/main.ts", import.meta.url);
let runs = 0;

/** Runs `main.ts` as a new module. */
async function runMain(args: readonly string[]): Promise<number> {
  const before = process.argv;
  process.argv = [process.execPath, fileURLToPath(entry), ...args];
  try {
    await import(`${entry}?run=${runs++}`);
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  } finally {
    process.argv = before;
  }
}

/** Starts a server on a free port, does the work, and stops the server as a signal would. */
export async function withServer(
  args: readonly string[],
  work: (server: RunningServer) => Promise<void>,
  { env = {}, port: givenPort }: { readonly env?: Environment; readonly port?: number } = {},
): Promise<Ended> {
  const port = givenPort ?? await findFreePort();
  const output = createOutput();
  using _streams = replaceStreams(output);
  using _exit = replaceExit();
  using _keys = replaceRsaKeys();
  using added = watchListeners(["SIGINT", "SIGTERM", "exit"]);
  const flags = ["start", "--port", `${port}`, "--alg", "ES256", ...args];
  using _console = replaceConsole(output);
  const failure = await withEnvironment(env, () => runMain(flags));
  if (failure !== 0) throw new Error(`start ended with ${failure}:\n${output.stdout()}${output.stderr()}`);
  let ending: Promise<Ended> | undefined;
  const end = async (name: "SIGTERM" | "SIGINT"): Promise<Ended> => {
    const code = await added.call(name);
    // the lines that wait are written when the process ends
    await added.call("exit");
    return { code, stdout: output.stdout(), stderr: output.stderr() };
  };
  const signal: Running["signal"] = (name) => void (ending ??= end(name));
  try {
    const [, issuer = ""] = /(?:^ {2}Issuer\s+|"issuer":")([^\s"]+)/m.exec(output.stdout()) ?? [];
    const { stdout, stderr, printed } = output;
    await work({ stdout, stderr, printed, signal, ended: new Promise(() => {}), port, issuer });
  } finally {
    signal("SIGINT");
    await ending;
  }
  return await ending!;
}

/** Writes a configuration file, and starts a server with it. */
export async function withConfiguredServer(
  configuration: object,
  work: (server: RunningServer & { readonly file: string }) => Promise<void>,
  flags: readonly string[] = [],
): Promise<Ended> {
  let ended: Ended | undefined;
  await withFile(configuration, async (file) => {
    ended = await withServer(["--config", file, ...flags], (server) => work({ ...server, file }));
  });
  return ended!;
}

/** Sets variables of the environment while the work is done. */
export async function withEnvironment<Value>(env: Environment, work: () => Promise<Value>): Promise<Value> {
  // A server that npx started looks for it until the end. Here it would find the npx that runs the tests.
  const all = { NO_COLOR: "1", npm_lifecycle_script: "", ...env };
  const before = Object.keys(all).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, all);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

function replaceConsole(output: Output): Disposable {
  const { log, error } = console;
  console.log = (text = "") => output.add("stdout", `${text}\n`);
  console.error = (text = "") => output.add("stderr", `${text}\n`);
  return { [Symbol.dispose]: () => void Object.assign(console, { log, error }) };
}

const { exit } = process;
let running = 0;

/** A server may end after a command that has started before it. */
function replaceExit(): Disposable {
  running++;
  process.exit = (code) => {
    throw new Exit(Number(code ?? 0));
  };
  return {
    [Symbol.dispose]() {
      running--;
      if (running === 0) process.exit = exit;
    },
  };
}

/** Replaces the standard streams by terminals, because only those are written by a method. */
function replaceStreams(output: Output): Disposable {
  const names = ["stdout", "stderr"] as const;
  const before = names.map((name) => Object.getOwnPropertyDescriptor(process, name)!);
  const fd = openSync(devNull, "w");
  const decoder = new TextDecoder();
  for (const name of names) {
    const write = (octets: Uint8Array) => output.add(name, decoder.decode(octets));
    Object.defineProperty(process, name, { value: { isTTY: true, fd, write }, configurable: true });
  }
  return {
    [Symbol.dispose]() {
      names.forEach((name, index) => Object.defineProperty(process, name, before[index]!));
      closeSync(fd);
    },
  };
}

/** Takes a known key in place of each new RSA key, which takes long to make. */
function replaceRsaKeys(): Disposable {
  const { subtle } = crypto;
  const generate = subtle.generateKey;
  const [ofRs256, ofPs256] = testKeysFor(["RS256", "PS256"]);
  const known = new Map([["RSASSA-PKCS1-v1_5", ofRs256!], ["RSA-PSS", ofPs256!]]);
  subtle.generateKey = (async (terms: RsaHashedKeyGenParams, isExtractable: boolean, uses: KeyUsage[]) => {
    const jwk = known.get(terms.name);
    if (jwk === undefined) return await generate.call(subtle, terms, isExtractable, uses);
    return { privateKey: await subtle.importKey("jwk", jwk, terms, isExtractable, ["sign"]) };
  }) as typeof generate;
  return { [Symbol.dispose]: () => void (subtle.generateKey = generate) };
}

type Event = "SIGINT" | "SIGTERM" | "exit";

interface AddedListeners extends Disposable {
  /** Calls those that were added since. Returns the exit code, if one of them ends the process. */
  call(event: Event): Promise<number>;
}

/** Removes the listeners that a program leaves, because it would end. */
function watchListeners(events: readonly Event[]): AddedListeners {
  // the signals have the type of "exit", whose listeners take a number
  const list = (event: Event) => process.listeners(event as "exit");
  const before = new Set(events.flatMap(list));
  const listAdded = (event: Event) => list(event).filter((each) => !before.has(each));
  return {
    async call(event) {
      try {
        for (const each of listAdded(event)) await (each as () => unknown)();
        return 0;
      } catch (error) {
        if (error instanceof Exit) return error.code;
        throw error;
      }
    },
    [Symbol.dispose]() {
      for (const event of events) listAdded(event).forEach((each) => process.off(event, each));
    },
  };
}
