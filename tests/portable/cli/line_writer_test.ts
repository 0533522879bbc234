/** The lines of the log of a process: all of them before it ends, whatever their reader does. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, watch } from "node:fs";
import { open, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import type { Readable } from "node:stream";
import { findFreePort } from "../../free_port.ts";
import { runtime, test } from "../../runner.ts";
import { createProgram, inFolder, type Program } from "../../cli/command.ts";

/** Returns the paths of the lines. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/GET +(\S+)/g)].map(([, path]) => path!);
}

async function get(port: number, path: string): Promise<void> {
  await (await fetch(`http://127.0.0.1:${port}${path}`)).body?.cancel();
}

interface Started {
  readonly port: number;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

/** Starts a server whose output goes to this file, or to a pipe that is read to the end of the banner only. */
async function startServer({ command: [path, ...before], env }: Program, log?: string): Promise<Started> {
  const port = await findFreePort();
  const output = log === undefined ? "pipe" : await open(log, "w");
  const target = output === "pipe" ? output : output.fd;
  const child = spawn(path, [...before, "start", "--port", `${port}`, "--alg", "ES256"], {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", target, output === "pipe" ? "inherit" : target],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const tooEarly = ended.then((code): never => {
    throw new Error(`The server ended with ${code}`);
  });
  tooEarly.catch(() => {});
  const isReady = (text: string) => /^ {2}Issuer /m.test(text);
  const ready = log === undefined ? readUntil(child.stdout!, isReady) : fileBecomes(log, isReady);
  await Promise.race([ready, tooEarly]);
  if (output !== "pipe") await output.close();
  return { port, child, ended };
}

function fileBecomes(path: string, isReady: (text: string) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isReady(readFileSync(path, "utf8"))) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(path, look);
    look();
  });
}

/** Returns what it has read when this is enough, and then reads no more. */
function readUntil(stream: Readable, isEnough: (text: string) => boolean): Promise<string> {
  let text = "";
  return new Promise((resolve) => {
    const read = (part: string) => {
      text += part;
      if (!isEnough(text)) return;
      stream.off("data", read).pause();
      resolve(text);
    };
    stream.setEncoding("utf8").on("data", read).resume();
  });
}

const throwing = {
  "an uncaught error": 'process.on("SIGUSR2", () => { throw new Error("canary"); });',
  "an unhandled rejection": 'process.on("SIGUSR2", () => { Promise.reject(new Error("canary")); });',
};

for (const [what, source] of Object.entries(throwing)) {
  test(`lines: that of the last request comes before ${what}, which ends the process as usual`, async () => {
    await inFolder(async (path) => {
      await writeFile(path("throwing.mjs"), `import process from "node:process";\n${source}\n`);
      const { command } = createProgram([]);
      const preload = [runtime === "node" ? "--import" : "--preload", path("throwing.mjs")];
      const program = [...command.slice(0, -1), ...preload, command.at(-1)!];
      const [first, ...rest] = program as [string, ...string[]];
      const { port, child, ended } = await startServer({ command: [first, ...rest] }, path("log"));
      try {
        await get(port, "/last");
      } finally {
        process.kill(child.pid!, "SIGUSR2");
      }
      assertEquals(await ended, 1);
      // Bun calls no listener before it prints a rejection.
      const isLate = runtime === "bun" && what === "an unhandled rejection";
      const text = await readFile(path("log"), "utf8");
      assertMatch(text, isLate ? /canary[^]*GET +\/last\n/ : /GET +\/last\n[^]*canary/);
    });
  });
}

// The line of each answer has it, and a pipe holds up to 256 KB.
const longPath = "x".repeat(6000);
const count = 60;

test("lines: a reader that does not read holds up neither an answer nor the end", async () => {
  const { port, child, ended } = await startServer(createProgram(["start"]));
  try {
    for (let sent = 0; sent < count; sent++) await get(port, `/${longPath}`);
  } finally {
    process.kill(child.pid!, "SIGTERM");
  }
  assertEquals(await ended, 0);
  child.stdout!.destroy();
});

test("lines: a reader that is late gets all lines", async () => {
  const { port, child, ended } = await startServer(createProgram(["start"]));
  let text: string;
  try {
    for (let sent = 0; sent < count; sent++) await get(port, `/${longPath}`);
    await get(port, "/last");
    text = await readUntil(child.stdout!, (text) => /GET +\/last\n/.test(text));
  } finally {
    process.kill(child.pid!, "SIGTERM");
  }
  assertEquals(await ended, 0);
  assertEquals(pathsIn(text).filter((path) => path.startsWith("/xx")).length, count);
  assert(!/lines are missing here/.test(text));
});
