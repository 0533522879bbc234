/** Holds a contest: plays its rounds on two server processes over one store. */
import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../src/cli/open_store.ts";
import { grants } from "../../src/oauth/tokens/grant.ts";
import { type Contest, countAnswers } from "./contests.ts";
import type { Answer, Shot } from "./server_process.ts";
import { type RemoteServer, type ServerProcess, startServerProcess } from "./start_server_process.ts";
import { openStormWorld } from "./storm_world.ts";

/** Each has half of the contenders. */
export type ProcessPair = readonly [ServerProcess, ServerProcess];

export async function startProcessPair(): Promise<ProcessPair> {
  return await Promise.all([startServerProcess(), startServerProcess()]);
}

export interface ContestTerms {
  readonly rounds: number;
  /** In each round. An even number. */
  readonly contenders: number;
}

/** How often each answer was given, for example `{ "200": 20, "400 invalid_grant": 300 }`. */
export type AnswerCounts = Readonly<Record<string, number>>;

// Several rounds at a time keep the processor busy while one request waits.
const atATime = 10;
// In milliseconds. The shortest is usually enough time for an order to reach both processes.
const shortestLead = 10;
const longestLead = 1000;

/**
 * Plays the rounds over the empty store of this name, and asserts that each ends as the contest says. Plays more rounds if
 * a busy machine has not let both processes run at the same time yet.
 */
export async function holdContest(
  contest: Contest,
  url: string,
  { rounds, contenders }: ContestTerms,
  processes: ProcessPair,
): Promise<AnswerCounts> {
  const servers = await Promise.all(processes.map((each) => each.open(url, contest.options)));
  const store = await openStore(url, () => {});
  const world = openStormWorld({ ...contest.options, store });
  const counts: Record<string, number> = {};
  let played = 0, overlaps = 0, lead = shortestLead;
  try {
    while (played < rounds || (overlaps === 0 && played < 10 * rounds)) {
      const size = played < rounds ? Math.min(atATime, rounds - played) : atATime;
      const shots = await Promise.all(Array.from({ length: size }, () => contest.prepare(world)));
      const { answers, overlapped } = await playRounds(contest, shots, { servers, contenders, lead });
      if (overlapped) overlaps++;
      else if (overlaps === 0) lead = Math.min(2 * lead, longestLead);
      for (const [answer, count] of Object.entries(countAnswers(answers))) {
        counts[answer] = (counts[answer] ?? 0) + count;
      }
      played += size;
    }
    assert(overlaps > 0, "the two processes never ran at the same time");
    const statuses: string[] = [];
    for await (const { value } of store.list!(grants)) statuses.push(value.status);
    assertEquals(statuses, Array.from({ length: played }, () => contest.left));
    return counts;
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await world.close();
    await store.close();
  }
}

interface PlayTerms {
  readonly servers: readonly RemoteServer[];
  readonly contenders: number;
  /** How many milliseconds after the order the processes begin. */
  readonly lead: number;
}

interface Played {
  readonly answers: readonly Answer[];
  /** Whether both processes have worked at the same time. */
  readonly overlapped: boolean;
}

/** Plays rounds at the same time: in each, all contenders send the same. */
async function playRounds(
  contest: Contest,
  shots: readonly Shot[],
  { servers, contenders, lead }: PlayTerms,
): Promise<Played> {
  const at = Date.now() + lead;
  const half = contenders / 2;
  const ordered = shots.flatMap((shot) => Array.from({ length: half }, () => shot));
  const [one, other] = await Promise.all(servers.map((server) => server.perform({ at, shots: ordered })));
  for (let begin = 0; begin < ordered.length; begin += half) {
    const answers = [one!, other!].flatMap((report) => report.answers.slice(begin, begin + half));
    contest.check(answers);
  }
  return {
    answers: [...one!.answers, ...other!.answers],
    overlapped: one!.startedAt < other!.endedAt && other!.startedAt < one!.endedAt,
  };
}
