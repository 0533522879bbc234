/** A process that fetches from ports of this machine as `https://client.example`: its failure, and its memory. */
import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createGuardedFetch } from "../../../../src/ground/http/guarded_fetch.ts";
import { findOpenTls } from "../../../../src/server/runtime/open_tls.ts";

export interface Calls {
  /** The fetches go to the ports in turn. */
  readonly ports: readonly number[];
  readonly count: number;
  /** Environment variables of the process. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Called {
  /** The failure of the last fetch. */
  readonly failure: string | undefined;
  /** The resident memory after each fifth of the fetches, in octets. Garbage is collected, because only what stays counts. */
  readonly memory: readonly number[];
}

const mark = "postern-calling-process";

/** Runs the process. This module must be imported late, so that a bundler keeps it in a file of its own. */
export async function call({ ports, count, env = {} }: Calls): Promise<Called> {
  const isDeno = process.versions["deno"] !== undefined;
  const flags = isDeno
    ? ["run", "--config", "dev.json", "--no-check", "--allow-all", "--v8-flags=--expose-gc"]
    : [];
  const child = spawn(process.execPath, [
    ...flags,
    ...[fileURLToPath(import.meta.url), mark, ports.join(), String(count)],
  ], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => output += text);
  await new Promise((resolve) => child.once("close", resolve));
  return JSON.parse(output);
}

async function main(ports: readonly string[], count: number): Promise<void> {
  const fetch = createGuardedFetch({
    findFetch: () => undefined,
    now: () => 0,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    openTls: findOpenTls(),
    // The timer of each fetch lives as long, so that at every measurement the same number of them does.
    timeout: 500,
  });
  const memory: number[] = [];
  let failure: string | undefined;
  for (let index = 1; index <= count; index++) {
    const url = `https://client.example:${ports[index % ports.length]}/c.json`;
    const result = await fetch.getJson(url, { reach: "any", largest: 5000 });
    failure = "failure" in result ? result.failure : undefined;
    if (index % (count / 50) === 0) Reflect.get(globalThis, "gc")?.();
    if (index % (count / 5) === 0) memory.push(process.memoryUsage().rss);
  }
  console.log(JSON.stringify({ failure, memory } satisfies Called));
}

if (process.argv[2] === mark) {
  await main((process.argv[3] ?? "").split(","), Number(process.argv[4]));
  // The time limits of the fetches would keep the process alive.
  process.exit();
}
