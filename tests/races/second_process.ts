/** A process of its own with a server over somebody's SQLite file: fires the volleys that it is told, a JSON line each. */
import process from "node:process";
import { createInterface } from "node:readline";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { fire, openStormWorld, type Tally, type Volley } from "./volley.ts";

/** Milliseconds since 1970: when both processes begin. */
export interface VolleyOrder extends Volley {
  readonly at: number;
}

export interface VolleyReport {
  readonly tallies: readonly Tally[];
  readonly startedAt: number;
  readonly endedAt: number;
}

/** This very module, wherever a bundler has put it. */
export const program: string = import.meta.url;
export const programMark = "postern-second-process";

async function main(file: string): Promise<void> {
  const store = await sqliteStore(file);
  const world = openStormWorld({ store });
  const say = (words: unknown) => process.stdout.write(`${JSON.stringify(words)}\n`);
  say("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as VolleyOrder;
    await new Promise((resolve) => setTimeout(resolve, order.at - Date.now()));
    const startedAt = Date.now();
    const tallies = await fire(order, world);
    say({ tallies, startedAt, endedAt: Date.now() } satisfies VolleyReport);
  }
  await world.close();
  await store.close();
}

const [mark, file] = process.argv.slice(2);
if (mark === programMark && file !== undefined) await main(file);
