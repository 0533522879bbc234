/** A server process over any store that processes can share: reads orders and writes reports, as JSON lines. */
import { writeSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { openStore } from "../../src/cli/open_store.ts";
import type { ServerOptions } from "../../src/mod.ts";
import type { Store } from "../../src/store/store.ts";
import type { World } from "../world.ts";
import { openStormWorld } from "./volley.ts";
import { type Around, watchStore } from "./watched_store.ts";

/** A request as JSON. */
export interface Shot {
  readonly method: string;
  /** Below the issuer. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Order {
  readonly id: number;
  /** When the process begins, in milliseconds since 1970. Absent: immediately. */
  readonly at?: number;
  /** All are sent at the same time. */
  readonly shots: readonly Shot[];
}

/** Kills the process at its next write to the store: before the call, while the store has it, or after it. */
export interface KillOrder {
  readonly killAt: KillPoint;
}

export type KillPoint = "before" | "during" | "after";

/** Where a process is at its end, for example `during put grant`. */
export interface LastPoint {
  readonly point: string;
}

export interface Answer {
  readonly status: number;
  readonly location: string | null;
  /** The members of the JSON. Empty if the answer is no JSON. */
  readonly body: Readonly<Record<string, string>>;
}

export interface Report {
  readonly id: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** In the order of the shots. */
  readonly answers: readonly Answer[];
}

/** This module's own URL, also after bundling. */
export const program: string = import.meta.url;
export const programMark = "postern-server-process";

async function send(world: World, { method, path, headers = {}, body }: Shot): Promise<Answer> {
  const request = new Request(world.issuer + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const response = await world.fetch(request);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    location: response.headers.get("location"),
    body: isJson ? JSON.parse(text) : {},
  };
}

interface Trap {
  readonly store: Store;
  set(point: KillPoint): void;
}

/** Names the point, and ends this process at it: no later line of the program runs. */
function die(point: string): void {
  writeSync(process.stdout.fd, `${JSON.stringify({ point } satisfies LastPoint)}\n`);
  process.kill(process.pid, "SIGKILL");
}

function createTrap(store: Store): Trap {
  let armed: KillPoint | undefined;
  const around: Around = async ({ verb, kind }, perform) => {
    if (verb === "get" || armed === undefined) return await perform();
    const name = `${armed} ${verb} ${kind}`;
    if (armed === "before") die(name);
    const call = perform();
    // The point stays armed if the store answers sooner.
    const timer = armed === "during" ? setTimeout(() => die(name)) : undefined;
    const result = await call;
    clearTimeout(timer);
    if (armed === "after") die(name);
    return result;
  };
  return { store: watchStore(store, around), set: (point) => armed = point };
}

async function main(url: string, options: ServerOptions): Promise<void> {
  const store = await openStore(url, () => {});
  const trap = createTrap(store);
  const world = openStormWorld({ ...options, store: trap.store });
  const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
  async function perform({ id, at, shots }: Order): Promise<void> {
    if (at !== undefined) await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
    const startedAt = Date.now();
    const answers = await Promise.all(shots.map((shot) => send(world, shot)));
    print({ id, startedAt, endedAt: Date.now(), answers } satisfies Report);
  }
  print("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as Order | KillOrder;
    if ("killAt" in order) trap.set(order.killAt);
    else void perform(order);
  }
  await world.close();
  await store.close();
}

const [mark, url, options] = process.argv.slice(2);
if (mark === programMark && url !== undefined) await main(url, JSON.parse(options ?? "{}"));
