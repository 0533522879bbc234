/** Starts `server_process.ts` for a test. */
import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ServerOptions } from "../../src/mod.ts";
import { runtime } from "../runner.ts";
import type { KillOrder, KillPoint, LastPoint, Order, Report } from "./server_process.ts";

export class ServerProcessEnded extends Error {
  override readonly name = "ServerProcessEnded";
}

export interface ServerProcess {
  /** Rejects with `ServerProcessEnded` if the process ends before it reports. */
  perform(order: Omit<Order, "id">): Promise<Report>;
  /** Lets the process end. Rejects if it fails. */
  end(): Promise<void>;
  /** Kills the process now. */
  kill(): void;
  /** Lets the process kill itself at its next write to the store. */
  killAt(point: KillPoint): void;
  /** Resolves when the process has ended, to the point where it killed itself. Rejects if a signal did not end it. */
  killed(): Promise<string | undefined>;
}

/** `url` names the store as `--store` does. The options must be JSON. */
export async function startServerProcess(url: string, options: ServerOptions = {}): Promise<ServerProcess> {
  // Imported here, so that a bundler keeps it in a file of its own.
  const { program, programMark } = await import("./server_process.ts");
  const runs = runtime === "deno" ? ["run", "--config", "dev.json", "--allow-all", "--quiet"] : [];
  const parameters = [fileURLToPath(program), programMark, url, JSON.stringify(options)];
  const child = spawn(process.execPath, [...runs, ...parameters], { stdio: ["pipe", "pipe", "pipe"] });
  let errorOutput = "", point: string | undefined;
  let ended: ServerProcessEnded | undefined;
  child.stderr.setEncoding("utf8").on("data", (part) => errorOutput += part);
  child.stdin.on("error", () => {});

  const waiting = new Map<number, { resolve(report: Report): void; reject(error: Error): void }>();
  let count = 0;
  let isReady = () => {};
  const lines = createInterface({ input: child.stdout }).on("line", (line) => {
    // The last line of a killed process may have no end.
    if (!/[}"]$/.test(line)) return;
    const message = JSON.parse(line) as Report | LastPoint | "ready";
    if (message === "ready") isReady();
    else if ("point" in message) point = message.point;
    else {
      waiting.get(message.id)!.resolve(message);
      waiting.delete(message.id);
    }
  });
  const read = new Promise<void>((resolve) => lines.on("close", resolve));
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve)).then(async (code) => {
    await read;
    ended = new ServerProcessEnded(`The server process ended with ${code}: ${errorOutput}`);
    for (const { reject } of waiting.values()) reject(ended);
    return code;
  });
  const failed = closed.then((): never => {
    throw ended;
  });
  failed.catch(() => {});
  await Promise.race([new Promise<void>((resolve) => isReady = resolve), failed]);
  const write = (value: unknown) => void child.stdin.write(`${JSON.stringify(value)}\n`);

  return {
    perform: (order) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        waiting.set(++count, { resolve, reject });
        write({ ...order, id: count });
      }),
    async end() {
      child.stdin.end();
      assertEquals(await closed, 0, errorOutput);
    },
    kill: () => void child.kill("SIGKILL"),
    killAt: (killAt) => write({ killAt } satisfies KillOrder),
    async killed() {
      await closed;
      assertEquals(child.signalCode, "SIGKILL", errorOutput);
      return point;
    },
  };
}
