/** A second server process over a SQLite file: reads orders for volleys and writes reports, as JSON lines. */
import process from "node:process";
import { createInterface } from "node:readline";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { fire, openStormWorld, type Tally, type Volley } from "./volley.ts";

/** `at` is when both processes begin, in milliseconds since 1970. */
export interface VolleyOrder extends Volley {
  readonly at: number;
}

export interface VolleyReport {
  readonly tallies: readonly Tally[];
  readonly startedAt: number;
  readonly endedAt: number;
}

/** This module's own URL, also after bundling. */
export const program: string = import.meta.url;
export const programMark = "postern-second-process";

async function main(file: string): Promise<void> {
  const store = await sqliteStore(file);
  const world = openStormWorld({ store });
  const report = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
  report("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as VolleyOrder;
    await new Promise((resolve) => setTimeout(resolve, order.at - Date.now()));
    const startedAt = Date.now();
    const tallies = await fire(order, world);
    report({ tallies, startedAt, endedAt: Date.now() } satisfies VolleyReport);
  }
  await world.close();
  await store.close();
}

const [mark, file] = process.argv.slice(2);
if (mark === programMark && file !== undefined) await main(file);
