/** A server process over a SQLite file, to be killed: reads requests and writes answers, as JSON lines. */
import process from "node:process";
import { createInterface } from "node:readline";
import { sqliteStore } from "../../src/store/sqlite.ts";
import type { Params } from "../world.ts";
import { openStormWorld } from "./volley.ts";

export interface KillOrder {
  readonly id: number;
  /** The path to post the form to. If it is absent, the process makes a code. */
  readonly path?: string;
  readonly form?: Params;
}

export interface KillReport {
  readonly id: number;
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

/** This module's own URL, also after bundling. */
export const program: string = import.meta.url;
export const programMark = "postern-killed-process";

async function main(file: string): Promise<void> {
  const world = openStormWorld({ store: await sqliteStore(file) });
  const report = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
  async function perform({ id, path, form = {} }: KillOrder): Promise<void> {
    if (path === undefined) {
      report({ id, status: 200, body: { code: await world.code({ scope: "openid" }) } } satisfies KillReport);
      return;
    }
    const response = await world.post(path, form);
    const text = await response.text();
    report({ id, status: response.status, body: text === "" ? {} : JSON.parse(text) } satisfies KillReport);
  }
  report("ready");
  for await (const line of createInterface({ input: process.stdin })) void perform(JSON.parse(line));
}

const [mark, file] = process.argv.slice(2);
if (mark === programMark && file !== undefined) await main(file);
