/** Starts `server_process.ts` for a test. */
import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ServerOptions } from "../../src/mod.ts";
import { runtime } from "../runner.ts";
import type { Order, Report } from "./server_process.ts";

export interface ServerProcess {
  /** Rejects if the process ends before it reports. */
  perform(order: Omit<Order, "id">): Promise<Report>;
  /** Lets the process end. Rejects if it fails. */
  end(): Promise<void>;
}

/** `url` names the store as `--store` does. The options must be JSON. */
export async function startServerProcess(url: string, options: ServerOptions = {}): Promise<ServerProcess> {
  // Imported here, so that a bundler keeps it in a file of its own.
  const { program, programMark } = await import("./server_process.ts");
  const runs = runtime === "deno" ? ["run", "--config", "dev.json", "--allow-all", "--quiet"] : [];
  const parameters = [fileURLToPath(program), programMark, url, JSON.stringify(options)];
  const child = spawn(process.execPath, [...runs, ...parameters], { stdio: ["pipe", "pipe", "pipe"] });
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  let errorOutput = "";
  child.stderr.setEncoding("utf8").on("data", (part) => errorOutput += part);
  child.stdin.on("error", () => {});

  const waiting = new Map<number, { resolve(report: Report): void; reject(error: Error): void }>();
  let count = 0;
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const report = JSON.parse(line) as Report | "ready";
      if (report === "ready") return resolve();
      waiting.get(report.id)!.resolve(report);
      waiting.delete(report.id);
    });
    void closed.then(() => {
      const error = new Error(`The server process ended: ${errorOutput}`);
      reject(error);
      for (const { reject } of waiting.values()) reject(error);
    });
  });
  await ready;

  return {
    perform: (order) =>
      new Promise((resolve, reject) => {
        waiting.set(++count, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ ...order, id: count })}\n`);
      }),
    async end() {
      child.stdin.end();
      assertEquals(await closed, 0, errorOutput);
    },
  };
}
