/** A process to be killed: a server over somebody's SQLite file that does what it is told and says when it is done. */
import process from "node:process";
import { createInterface } from "node:readline";
import { sqliteStore } from "../../src/store/sqlite.ts";
import type { Params } from "../world.ts";
import { openStormWorld } from "./volley.ts";

export interface KillOrder {
  readonly id: number;
  /** Absent: a code is asked for. */
  readonly path?: string;
  readonly form?: Params;
}

export interface KillReport {
  readonly id: number;
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

/** This very module, wherever a bundler has put it. */
export const program: string = import.meta.url;
export const programMark = "postern-killed-process";

async function main(file: string): Promise<void> {
  const world = openStormWorld({ store: await sqliteStore(file) });
  const say = (words: unknown) => process.stdout.write(`${JSON.stringify(words)}\n`);
  async function obey({ id, path, form = {} }: KillOrder): Promise<void> {
    if (path === undefined) {
      say({ id, status: 200, body: { code: await world.code({ scope: "openid" }) } } satisfies KillReport);
      return;
    }
    const response = await world.post(path, form);
    const text = await response.text();
    say({ id, status: response.status, body: text === "" ? {} : JSON.parse(text) } satisfies KillReport);
  }
  say("ready");
  for await (const line of createInterface({ input: process.stdin })) void obey(JSON.parse(line));
}

const [mark, file] = process.argv.slice(2);
if (mark === programMark && file !== undefined) await main(file);
