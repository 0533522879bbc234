/** The time from process start to the first answer, compared with a program that only answers. */
import type { Bench, Scenario } from "../scenario.ts";
import type { Launch } from "../server_process.ts";
import { bareServeLaunch, posternLaunch } from "../servers.ts";
import { type Candidate, compareStarts } from "../starts.ts";
import type { Runtime } from "../../runtimes.ts";

export const startUp: Scenario = {
  name: "start_up",
  describes: "process start to first answer, compared with a bare program",
  async run(bench) {
    const terms = { alg: "ES256", store: "memory", accessTokens: "jwt" } as const;
    const { against: checkout } = bench;
    const candidates = () => [
      serverCandidate("bare", bareServeLaunch),
      serverCandidate("postern", (bench, runtime) => posternLaunch(bench, runtime, terms)),
      ...checkout === undefined ? [] : [
        serverCandidate(
          "postern, before",
          (bench, runtime) => posternLaunch(bench, runtime, { ...terms, checkout }),
        ),
      ],
    ];
    const { table, figures } = await compareStarts(
      { result: "First answer", kind: "server", candidates },
      bench,
    );
    return { title: "Start", tables: [table], notes: [], figures };
  },
};

export function serverCandidate(
  label: string,
  launch: (bench: Bench, runtime: Runtime) => Launch,
): Candidate {
  return {
    label,
    async start(bench, runtime) {
      const server = await bench.startServer(launch(bench, runtime), undefined);
      const cpu = server.cpuSeconds();
      await server.stop();
      return { time: server.firstAnswerAfter, cpu: cpu && cpu * 1000 };
    },
  };
}
