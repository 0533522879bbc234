/** Starts `server_process.ts` for a test. */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ServerOptions } from "../../src/mod.ts";
import { runtime } from "../runner.ts";
import { keepAlive } from "../servers/kept_program.ts";
import type { CloseOrder, Done, OpenOrder, Report, ShotOrder } from "./server_process.ts";

/** A server in the process. */
export interface RemoteServer {
  /** Rejects if the process ends before it reports. */
  perform(order: Omit<ShotOrder, "id" | "server">): Promise<Report>;
  close(): Promise<void>;
}

export interface ServerProcess {
  /** Opens a server over a store, whose name is as `--store` takes it. The options must be JSON. */
  open(url: string, options?: ServerOptions): Promise<RemoteServer>;
}

/** The process does not keep the process of the test alive, and ends with it. */
export async function startServerProcess(): Promise<ServerProcess> {
  // Imported here, so that a bundler keeps it in a file of its own.
  const { program, programMark } = await import("./server_process.ts");
  const runs = runtime === "deno" ? ["run", "--config", "dev.json", "--allow-all", "--quiet"] : [];
  const child = spawn(process.execPath, [...runs, fileURLToPath(program), programMark], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  releaseLoop(child);
  let errorOutput = "";
  let ended: Error | undefined;
  child.stderr.setEncoding("utf8").on("data", (part) => errorOutput += part);
  child.stdin.on("error", () => {});

  const waiting = new Map<number, { resolve(done: Done): void; reject(error: Error): void }>();
  let count = 0;
  let isReady = () => {};
  const lines = createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Done | "ready";
    if (message === "ready") isReady();
    else {
      waiting.get(message.id)!.resolve(message);
      waiting.delete(message.id);
    }
  });
  const read = new Promise<void>((resolve) => lines.on("close", resolve));
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const failed = closed.then(async (code): Promise<never> => {
    await read;
    ended = new Error(`The server process ended with ${code}: ${errorOutput}`);
    for (const { reject } of waiting.values()) reject(ended);
    throw ended;
  });
  failed.catch(() => {});
  await keepAlive(Promise.race([new Promise<void>((resolve) => isReady = resolve), failed]));
  const write = (value: unknown) => void child.stdin.write(`${JSON.stringify(value)}\n`);
  const ask = (order: Omit<OpenOrder, "id"> | Omit<ShotOrder, "id"> | Omit<CloseOrder, "id">) =>
    keepAlive(
      new Promise<Done>((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        waiting.set(++count, { resolve, reject });
        write({ ...order, id: count });
      }),
    );

  return {
    async open(url, options = {}) {
      const { id: server } = await ask({ open: url, options });
      return {
        perform: async (order) => await ask({ ...order, server }) as Report,
        close: async () => void await ask({ close: server }),
      };
    },
  };
}

function releaseLoop(child: ChildProcess): void {
  child.unref();
  for (const pipe of child.stdio as readonly ({ unref?(): void } | null)[]) pipe?.unref?.();
}
