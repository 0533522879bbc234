/** A server process over any store that processes can share: reads orders and writes reports, as JSON lines. */
import process from "node:process";
import { createInterface } from "node:readline";
import { openStore } from "../../src/cli/open_store.ts";
import type { ServerOptions } from "../../src/mod.ts";
import type { Store } from "../../src/store/store.ts";
import type { World } from "../world.ts";
import { openStormWorld } from "./volley.ts";

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

async function main(url: string, options: ServerOptions): Promise<void> {
  const store: Store = await openStore(url, () => {});
  const world = openStormWorld({ ...options, store });
  const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
  async function perform({ id, at, shots }: Order): Promise<void> {
    if (at !== undefined) await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
    const startedAt = Date.now();
    const answers = await Promise.all(shots.map((shot) => send(world, shot)));
    print({ id, startedAt, endedAt: Date.now(), answers } satisfies Report);
  }
  print("ready");
  for await (const line of createInterface({ input: process.stdin })) void perform(JSON.parse(line));
  await world.close();
  await store.close();
}

const [mark, url, options] = process.argv.slice(2);
if (mark === programMark && url !== undefined) await main(url, JSON.parse(options ?? "{}"));
