/** Storms: 50 simultaneous redemptions of one code, many rounds, on each store and from two processes. */
import { assertEquals } from "@std/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, sqliteStore, type Store } from "../../../src/mod.ts";
import { grants } from "../../../src/oauth/tokens/grant.ts";
import { runtime, test } from "../../runner.ts";
import type { World } from "../../world.ts";
import { contests } from "../../races/contests.ts";
import { holdContest, startProcessPair } from "../../races/hold_contest.ts";
import { fire, openStormWorld, type Tally } from "../../races/volley.ts";

// The rounds on one runtime are enough to try many orders. The others only have other timers, threads and SQLite.
const rounds = runtime === "deno" ? 200 : 40;
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
  `storm: 50 simultaneous redemptions of one code, ${rounds} rounds, memory: one 200 each`,
  async () => {
    await stormOneServer(memoryStore());
  },
);

sqliteTest(
  `storm: 50 simultaneous redemptions of one code, ${rounds} rounds, SQLite: one 200 each`,
  async () => {
    await inFolder(async (file) => await stormOneServer(await sqliteStore(file)));
  },
);

sqliteTest(
  `storm: 50 simultaneous redemptions of one code, ${rounds} rounds, two processes on one SQLite file: one 200 each`,
  async () => {
    const [oneCode] = contests;
    const processes = await startProcessPair();
    await inFolder(async (file) => {
      await holdContest(oneCode!, `sqlite:${file}`, { rounds, contenders: attempts }, processes);
    });
    await Promise.all(processes.map((each) => each.end()));
  },
);
