/** The lines of the log of a process: all of them before it ends, whatever their reader does. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { type ChildProcess, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { findFreePort } from "../../../free_port.ts";
import { runtime, test } from "../../../runner.ts";
import { createProgram, type Program } from "../../../tools/cli/command.ts";
import { createFolder } from "../../../in_folder.ts";

async function get(port: number, path: string): Promise<void> {
  await (await fetch(`http://127.0.0.1:${port}${path}`)).body?.cancel();
}

/** Starts a server on a port, and waits until it answers. */
async function startServer(
  { command: [path, ...before], env }: Program,
  stdio: "ignore" | "pipe",
): Promise<{ readonly port: number; readonly child: ChildProcess; readonly ended: Promise<number | null> }> {
  const port = await findFreePort();
  const child = spawn(path, [...before, "start", "--port", `${port}`, "--alg", "ES256"], {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", stdio, "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let hasEnded = false;
  void ended.then(() => hasEnded = true);
  while (!await get(port, "/health").then(() => true, () => false)) {
    if (hasEnded) throw new Error(`The server ended with ${await ended}`);
    // Nothing reads its output, which would tell. Requests without a pause would slow the start.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { port, child, ended };
}

const throwing = {
  "an uncaught error": 'process.on("SIGUSR2", () => { throw new Error("canary"); });',
  "an unhandled rejection": 'process.on("SIGUSR2", () => { Promise.reject(new Error("canary")); });',
};

for (const [what, source] of Object.entries(throwing)) {
  test(`lines: that of the last request comes before ${what}, which ends the process as usual`, async () => {
    await using path = await createFolder();
    await writeFile(path("throwing.mjs"), `import process from "node:process";\n${source}\n`);
    const { command } = createProgram([]);
    const preload = [runtime === "node" ? "--import" : "--preload", path("throwing.mjs")];
    const program = [...command.slice(0, -1), ...preload, command.at(-1)!];
    const both = ["sh", "-c", 'exec "$@" >"$0" 2>&1', path("log")] as const;
    const { port, child, ended } = await startServer({ command: [...both, ...program] }, "ignore");
    try {
      await get(port, "/last");
    } finally {
      process.kill(child.pid!, "SIGUSR2");
    }
    assertEquals(await ended, 1);
    const text = await readFile(path("log"), "utf8");
    assertMatch(text, /canary/);
    // Bun calls no listener before it prints a rejection, so the line may come later.
    const mayBeLate = runtime === "bun" && what === "an unhandled rejection";
    assertMatch(text, mayBeLate ? /GET +\/last\n/ : /GET +\/last\n[^]*canary/);
  });
}

// Each answer has a line of about 1 KB, and a pipe holds up to 256 KB.
const longPath = "x".repeat(900);

test("lines: a reader that does not read holds up neither an answer nor the end", async () => {
  const { port, child, ended } = await startServer(createProgram(["start"]), "pipe");
  try {
    for (let count = 0; count < 300; count++) await get(port, `/${longPath}`);
  } finally {
    process.kill(child.pid!, "SIGTERM");
  }
  assertEquals(await ended, 0);
  child.stdout!.destroy();
});

test("lines: a reader that is late gets all lines", async () => {
  const { port, child, ended } = await startServer(createProgram(["start"]), "pipe");
  let text = "";
  try {
    for (let count = 0; count < 300; count++) await get(port, `/${longPath}`);
    await get(port, "/last");
    child.stdout!.setEncoding("utf8").on("data", (part) => text += part);
    while (!/GET +\/last\n/.test(text)) await new Promise((resolve) => child.stdout!.once("data", resolve));
  } finally {
    process.kill(child.pid!, "SIGTERM");
  }
  assertEquals(await ended, 0);
  assertEquals(text.match(/GET +\/xx/g)?.length, 300);
  assert(!/lines are missing here/.test(text));
});
