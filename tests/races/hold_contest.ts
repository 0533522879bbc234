/** Holds a contest: plays its rounds on two server processes over one store. */
import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../src/server/store/open_store.ts";
import { grants } from "../../src/server/oauth/contracts/grant.ts";
import type { Contest } from "./contests.ts";
import { startServerProcess } from "./start_server_process.ts";
import { openStormWorld } from "./storm_world.ts";

export interface ContestOptions {
  /** They are played at the same time. */
  readonly rounds: number;
  /** In each round, on each server. */
  readonly contenders: number;
}

// In milliseconds. The shortest is usually enough time for an order to reach both processes.
const shortestLead = 10;
const longestLead = 1000;

/**
 * Plays the rounds over the empty store of this name, and asserts that each ends as the contest says. Plays them again if
 * a busy machine has not let both processes run at the same time.
 */
export async function holdContest(
  contest: Contest,
  url: string,
  { rounds, contenders }: ContestOptions,
): Promise<void> {
  const servers = await Promise.all([1, 2].map(() => startServerProcess(url, contest.options)));
  const store = await openStore(url, () => {});
  const world = openStormWorld({ ...contest.options, store });
  let played = 0, haveOverlapped = false;
  try {
    for (let lead = shortestLead; !haveOverlapped; lead *= 2) {
      assert(lead <= longestLead, "the two processes never ran at the same time");
      const shots = await Promise.all(Array.from({ length: rounds }, () => contest.prepare(world)));
      const ordered = shots.flatMap((shot) => Array.from({ length: contenders }, () => shot));
      const order = { at: Date.now() + lead, shots: ordered };
      const [one, other] = await Promise.all(servers.map((server) => server.perform(order)));
      for (let begin = 0; begin < ordered.length; begin += contenders) {
        contest.check([one!, other!].flatMap(({ answers }) => answers.slice(begin, begin + contenders)));
      }
      played += rounds;
      haveOverlapped = one!.startedAt < other!.endedAt && other!.startedAt < one!.endedAt;
    }
    const statuses: string[] = [];
    for await (const { value } of store.list!(grants)) statuses.push(value.status);
    assertEquals(statuses, Array.from({ length: played * (contest.grants ?? 1) }, () => contest.left));
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await world.close();
    await store.close();
  }
}
