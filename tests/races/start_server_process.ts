/** Starts `server_process.ts` for a test. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ServerOptions } from "../../src/mod.ts";
import { runtime } from "../runner.ts";
import type { Order, Report } from "./server_process.ts";

export interface ServerProcess {
  perform(order: Order): Promise<Report>;
  close(): Promise<void>;
}

/** Starts a server over a store, whose name is as `--store` takes it. The options must be JSON. */
export async function startServerProcess(url: string, options: ServerOptions = {}): Promise<ServerProcess> {
  // Imported here, so that a bundler keeps it in a file of its own.
  const { program, programMark } = await import("./server_process.ts");
  const runs = runtime === "deno" ? ["run", "--config", "dev.json", "--allow-all", "--quiet"] : [];
  const args = [...runs, fileURLToPath(program), programMark, url, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The server process has ended");
    return JSON.parse(value);
  };
  await read();
  return {
    async perform(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      return await read() as Report;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
