/**
 * The processor time that a program needs for its modules: a start, a server, a first login, beside a program that
 * imports jose and signs once. The budgets are for Node.
 */
import { obtainRuntime, oldestNode } from "../../runtimes.ts";
import type { Bench, Report, Scenario } from "../scenario.ts";
import { posternLaunch } from "../servers.ts";
import { type Candidate, compareStarts } from "../starts.ts";
import { kitCandidate } from "./mock_login.ts";
import { serverCandidate } from "./start_up.ts";

/** How many times the processor time of `jose` each program may need on Node. */
const budgets = { start: 2.3, createServer: 1.5, login: 1.6 } as const;

export const loading: Scenario = {
  name: "loading",
  describes:
    "processor time of a start, of createServer() and of a first login, beside bare jose: the budgets",
  run: measureLoading,
};

async function measureLoading(bench: Bench): Promise<Report> {
  const oldest = await obtainRuntime(oldestNode);
  const others = bench.runtimes.filter(({ name, version }) => name !== "node" || version !== oldest.version);
  const { table, figures } = await compareStarts(
    { result: "Loading", kind: "program", candidates: () => listCandidates(bench) },
    { ...bench, runtimes: [oldest, ...others], starts: 9 },
  );
  return {
    title: "Loading",
    tables: [table],
    notes: [
      "start: until the first answer, with a key of ES256. createServer: import and call. first login: createMock() and",
      "login(), import included. jose: import jose, make a key, sign once. The last column is the one that counts, on Node.",
    ],
    figures,
  };
}

function listCandidates({ against: checkout }: Bench): readonly Candidate[] {
  const terms = { alg: "ES256", store: "memory", accessTokens: "jwt" } as const;
  const start = (label: string, checkout?: string) =>
    serverCandidate(label, (bench, runtime) => posternLaunch(bench, runtime, { ...terms, checkout }));
  const before = checkout === undefined ? [] : [
    start("start, before", checkout),
    kitCandidate("createServer, before"),
    kitCandidate("postern, before", "first login, before"),
  ];
  return [
    kitCandidate("jose"),
    start(`start (at most ${budgets.start})`),
    kitCandidate("createServer", `createServer (at most ${budgets.createServer})`),
    kitCandidate("postern", `first login (at most ${budgets.login})`),
    ...before,
  ];
}
