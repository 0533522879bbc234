/** A process with servers over stores that processes can share: reads orders and writes reports, as JSON lines. */
import process from "node:process";
import { createInterface } from "node:readline";
import { openStore } from "../../src/cli/open_store.ts";
import type { ServerOptions } from "../../src/mod.ts";
import type { Store } from "../../src/store/store.ts";
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

/** Opens a server. */
export interface OpenOrder {
  readonly id: number;
  /** The name of its store, as `--store` takes it. */
  readonly open: string;
  readonly options: ServerOptions;
}

/** Sends requests to a server, all at the same time. */
export interface ShotOrder {
  readonly id: number;
  /** The id of the order that has opened the server. */
  readonly server: number;
  /** When the process begins, in milliseconds since 1970. Absent: immediately. */
  readonly at?: number;
  readonly shots: readonly Shot[];
}

/** Closes the server that the order with this id has opened, and its store. */
export interface CloseOrder {
  readonly id: number;
  readonly close: number;
}

export interface Answer {
  readonly status: number;
  readonly location: string | null;
  /** The members of the JSON. Empty if the answer is no JSON. */
  readonly body: Readonly<Record<string, string>>;
}

/** A server is open or closed. */
export interface Done {
  readonly id: number;
}

/** The requests of an order have been answered. */
export interface Report extends Done {
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
  return await readAnswer(await world.fetch(request));
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    location: response.headers.get("location"),
    body: isJson ? JSON.parse(text) : {},
  };
}

interface OpenServer {
  readonly world: World;
  readonly store: Store;
}

const servers = new Map<number, OpenServer>();

async function open({ id, open: url, options }: OpenOrder): Promise<void> {
  const store = await openStore(url, () => {});
  servers.set(id, { world: openStormWorld({ ...options, store }), store });
}

async function close(id: number): Promise<void> {
  const { world, store } = servers.get(id)!;
  servers.delete(id);
  await world.close();
  await store.close();
}

async function shoot({ id, server, at, shots }: ShotOrder): Promise<Report> {
  const { world } = servers.get(server)!;
  if (at !== undefined) await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
  const startedAt = Date.now();
  const answers = await Promise.all(shots.map((shot) => send(world, shot)));
  return { id, startedAt, endedAt: Date.now(), answers };
}

async function obey(order: OpenOrder | ShotOrder | CloseOrder): Promise<void> {
  if ("shots" in order) return print(await shoot(order));
  if ("open" in order) await open(order);
  else await close(order.close);
  print({ id: order.id } satisfies Done);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function main(): Promise<void> {
  print("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    void obey(JSON.parse(line) as OpenOrder | ShotOrder | CloseOrder);
  }
  await Promise.all([...servers.keys()].map(close));
}

if (process.argv[2] === programMark) await main();
