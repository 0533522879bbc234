/** Kills of a server process: it loses nothing that it acknowledged, and revoked tokens stay revoked. */
import { chance } from "../chance.ts";
import { assert } from "@std/assert";
import { openStore } from "../../src/cli/open_store.ts";
import { type Ask, type GrantRecord, requireKept, useGrants } from "./grant_records.ts";
import type { KillPoint } from "./server_process.ts";
import { ServerProcessEnded, startServerProcess } from "./start_server_process.ts";
import { openStormWorld } from "./storm_world.ts";

export interface Kill {
  /** The process is killed after this many answers. */
  readonly answers: number;
  /** Where in its next write to the store. */
  readonly point: KillPoint | "anywhere";
}

interface Killed {
  readonly used: readonly GrantRecord[];
  /** Where the kill landed. Absent: anywhere. */
  readonly point: string | undefined;
}

// The number of grants in use at a time.
const atATime = 8;

/** Starts a process, lets it be killed after this many answers, and returns what it acknowledged. */
async function workUntilKilled(url: string, { answers, point }: Kill): Promise<Killed> {
  const process = await startServerProcess();
  const server = await process.open(url);
  let count = 0;
  const ask: Ask = async (shot) => {
    const { answers: [answer] } = await server.perform({ shots: [shot] });
    // Counts answers instead of time, so that a slow machine has also acknowledged something.
    if (++count !== answers) return answer!;
    if (point === "anywhere") setTimeout(() => process.kill(), chance().number() * 5);
    else process.killAt(point);
    return answer!;
  };
  const used: GrantRecord[] = [];
  const results = await Promise.allSettled(Array.from({ length: atATime }, () => useGrants(ask, used)));
  for (const result of results) {
    if (result.status === "rejected" && !(result.reason instanceof ServerProcessEnded)) throw result.reason;
  }
  return { used, point: await process.killed() };
}

/** How often each step was pending, and where the kills landed. */
export interface KillCounts {
  readonly interrupted: Readonly<Record<string, number>>;
  readonly points: Readonly<Record<string, number>>;
  readonly revoked: number;
}

/** Kills one process after another over the store of this name, and asserts after each that nothing is lost. */
export async function survive(kills: readonly Kill[], url: string): Promise<KillCounts> {
  const revoked: GrantRecord[] = [];
  const interrupted: Record<string, number> = {}, points: Record<string, number> = {};
  const store = await openStore(url, () => {});
  const world = openStormWorld({ store });
  try {
    for (const kill of kills) {
      const { used, point } = await workUntilKilled(url, kill);
      if (kill.point !== "anywhere") {
        assert(point?.startsWith(`${kill.point} `), `the kill landed ${point}, not ${kill.point} a write`);
        increment(points, point!);
      }
      for (const record of used) {
        if (record.pending !== undefined) increment(interrupted, record.pending);
        await requireKept(record, world);
      }
      revoked.push(...used.filter((record) => record.revoked));
    }
    // Revoked tokens also stay revoked after all later kills.
    for (const record of revoked) await requireKept(record, world);
    return { interrupted, points, revoked: revoked.length };
  } finally {
    await world.close();
    await store.close();
  }
}

function increment(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
