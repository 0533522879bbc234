/** A process with a server over a store that processes can share: it answers a line of requests with a line of answers. */
import process from "node:process";
import { createInterface } from "node:readline";
import { openStore } from "../../src/server/store/open_store.ts";
import type { World } from "../world.ts";
import { openStormWorld } from "./storm_world.ts";

/** A request as JSON. */
export interface Shot {
  readonly method: string;
  /** Below the issuer. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests to send at the same time. */
export interface Order {
  /** When the process begins, in milliseconds since 1970. */
  readonly at: number;
  readonly shots: readonly Shot[];
}

export interface Answer {
  readonly status: number;
  /** The members of the JSON. Empty if the answer is no JSON. */
  readonly body: Readonly<Record<string, string>>;
}

export interface Report {
  readonly startedAt: number;
  readonly endedAt: number;
  /** In the order of the shots. */
  readonly answers: readonly Answer[];
}

/** This module's own URL, also after bundling. */
export const program: string = import.meta.url;
export const programMark = "postern-server-process";

async function send({ issuer, fetch }: World, { method, path, headers = {}, body }: Shot): Promise<Answer> {
  const request = new Request(issuer + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const response = await fetch(request);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: response.status, body: isJson ? JSON.parse(text) : {} };
}

async function perform(world: World, { at, shots }: Order): Promise<Report> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - Date.now())));
  const startedAt = Date.now();
  const answers = await Promise.all(shots.map((shot) => send(world, shot)));
  return { startedAt, endedAt: Date.now(), answers };
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function main(url: string, options: string): Promise<void> {
  const store = await openStore(url, () => {});
  const world = openStormWorld({ ...JSON.parse(options), store });
  print("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    print(await perform(world, JSON.parse(line) as Order));
  }
  await world.close();
  await store.close();
}

const [, , mark, url, options] = process.argv;
if (mark === programMark) await main(url!, options!);
