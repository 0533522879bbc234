/** The time from process start to the first answer, compared with a program that only answers. */
import type { Runtime } from "../../runtimes.ts";
import type { Bench, Report, Scenario } from "../scenario.ts";
import type { Launch } from "../server_process.ts";
import { bareServeLaunch, posternLaunch } from "../servers.ts";
import { median } from "../statistics.ts";
import { fixed, whole } from "../table.ts";

export const startUp: Scenario = {
  name: "start_up",
  describes: "process start to first answer, compared with a bare program",
  run: measureStartUp,
};

interface Candidate {
  readonly label: string;
  launch(bench: Bench, runtime: Runtime): Launch;
}

const candidates: readonly Candidate[] = [
  { label: "bare", launch: bareServeLaunch },
  {
    label: "postern",
    launch: (bench, runtime) =>
      posternLaunch(bench, runtime, { alg: "ES256", store: "memory", accessTokens: "jwt" }),
  },
];

async function measureStartUp(bench: Bench): Promise<Report> {
  const rows: (readonly string[])[] = [];
  const figures: unknown[] = [];
  for (const runtime of bench.runtimes) {
    bench.progress(`Start: ${runtime.name}`);
    const times = new Map<Candidate, number[]>(candidates.map((candidate) => [candidate, []]));
    const troubles = new Map<Candidate, string>();
    // the first start fills caches of the runtime and the system, and is not counted
    for (let start = 0; start <= bench.starts; start++) {
      for (const candidate of candidates) {
        if (troubles.has(candidate)) continue;
        try {
          const server = await bench.startServer(candidate.launch(bench, runtime), undefined);
          if (start > 0) times.get(candidate)?.push(server.firstAnswerAfter);
          await server.stop();
        } catch (problem) {
          troubles.set(candidate, `not started: ${problem instanceof Error ? problem.message : problem}`);
        }
      }
    }
    const bare = median(times.get(candidates[0] as Candidate) ?? []);
    for (const candidate of candidates) {
      const name = `${runtime.name} ${candidate.label}`;
      const trouble = troubles.get(candidate);
      const all = times.get(candidate) ?? [];
      const middle = median(all);
      figures.push({ runtime: runtime.name, server: candidate.label, trouble, median: middle, all });
      rows.push(
        trouble ? [name, trouble] : [
          name,
          whole(middle),
          `${whole(Math.min(...all))}–${whole(Math.max(...all))}`,
          fixed(middle && bare && candidate !== candidates[0] ? middle / bare : undefined, 2),
        ],
      );
    }
  }
  const caption = `First answer after process start, median of ${bench.starts}`;
  const columns = ["server", "ms", "lowest–highest", "× bare"];
  return { title: "Start", tables: [{ caption, columns, rows }], notes: [], figures };
}
