/** Storms: 50 simultaneous redemptions of one code, 200 rounds, on each store and from two processes. */
import { assert, assertEquals } from "@std/assert";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { memoryStore, sqliteStore, type Store } from "../../src/mod.ts";
import { grants } from "../../src/oauth/tokens/grant.ts";
import { runtime, test } from "../runner.ts";
import type { World } from "../world.ts";
import type { VolleyOrder, VolleyReport } from "./second_process.ts";
import { addTallies, fire, openStormWorld, type Tally } from "./volley.ts";

const rounds = 200;
const attempts = 50;
// Several codes at a time keep the processor busy while one redemption waits.
const atATime = 10;

const sqlite = await import("node:sqlite").catch(() => undefined);
function sqliteTest(name: string, body: () => Promise<void>): void {
  if (sqlite === undefined) test.skip(name, "this runtime has no node:sqlite");
  else test(name, body);
}

async function createCodes(world: World): Promise<readonly string[]> {
  return await Promise.all(Array.from({ length: atATime }, () => world.code()));
}

async function inFolder(work: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "postern-"));
  try {
    await work(join(folder, "store.db"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Each code was redeemed once, all other attempts were refused, and the replays revoked the one grant of each code. */
async function requireOneEach(tallies: readonly Tally[], store: Store): Promise<void> {
  assertEquals(tallies.length, rounds);
  for (const tally of tallies) assertEquals(tally, { redeemed: 1, refused: attempts - 1, others: [] });
  const statuses: string[] = [];
  for await (const { value } of store.list!(grants)) statuses.push(value.status);
  assertEquals(statuses, Array.from({ length: rounds }, () => "revoked"));
}

async function stormOneServer(store: Store): Promise<void> {
  const world = openStormWorld({ store });
  const tallies: Tally[] = [];
  while (tallies.length < rounds) {
    tallies.push(...await fire({ codes: await createCodes(world), attempts }, world));
  }
  await requireOneEach(tallies, store);
  await world.close();
  await store.close();
}

test(
  "storm: 50 simultaneous redemptions of one code, 200 rounds, memory: one 200 each (CODE-02)",
  async () => {
    await stormOneServer(memoryStore());
  },
);

sqliteTest(
  "storm: 50 simultaneous redemptions of one code, 200 rounds, SQLite: one 200 each (CODE-02)",
  async () => {
    await inFolder(async (file) => await stormOneServer(await sqliteStore(file)));
  },
);

sqliteTest(
  "storm: 50 simultaneous redemptions of one code, 200 rounds, two processes on one SQLite file: one 200 each (CODE-02)",
  async () => {
    await inFolder(async (file) => {
      const store = await sqliteStore(file);
      const world = openStormWorld({ store });
      const processes = await Promise.all([startProcess(file), startProcess(file)]);
      const tallies: Tally[] = [];
      let overlaps = 0;
      try {
        while (tallies.length < rounds) {
          const codes = await createCodes(world);
          // Enough time for the order to reach both processes.
          const order = { codes, attempts: attempts / 2, at: Date.now() + 10 };
          const [one, other] = await Promise.all(processes.map((each) => each.fire(order)));
          tallies.push(...one!.tallies.map((tally, index) => addTallies(tally, other!.tallies[index]!)));
          if (one!.startedAt < other!.endedAt && other!.startedAt < one!.endedAt) overlaps++;
        }
      } finally {
        await Promise.all(processes.map((each) => each.end()));
      }
      await requireOneEach(tallies, store);
      assert(overlaps > 0, "the two processes never ran at the same time");
      await world.close();
      await store.close();
    });
  },
);

interface SecondProcess {
  fire(order: VolleyOrder): Promise<VolleyReport>;
  end(): Promise<void>;
}

async function startProcess(file: string): Promise<SecondProcess> {
  const { program, programMark } = await import("./second_process.ts");
  const runs = runtime === "deno" ? ["run", "--config", "dev.json", "--allow-all", "--quiet"] : [];
  const child = spawn(process.execPath, [...runs, fileURLToPath(program), programMark, file], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const errorOutput = collect(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readReport = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The second process ended: ${errorOutput()}`);
    return JSON.parse(value);
  };
  assertEquals(await readReport(), "ready");
  return {
    async fire(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      return await readReport() as VolleyReport;
    },
    async end() {
      child.stdin.end();
      assertEquals(await ended, 0, errorOutput());
    },
  };
}

function collect({ stderr }: ChildProcess): () => string {
  let text = "";
  stderr!.setEncoding("utf8").on("data", (part) => text += part);
  return () => text;
}
