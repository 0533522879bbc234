/** How the memory of a server grows with its live grants: code flows, as people start it and without the inspector. */
import { codeFlows } from "../authorize.ts";
import { confidentialClient, scopes } from "../clients.ts";
import { withGenerator } from "../cores.ts";
import { loadFor } from "../load.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { startedContestant, withoutInspector } from "../servers.ts";
import type { Runtime } from "../../runtimes.ts";
import { fixed, type Table, whole } from "../table.ts";
import type { Contestant } from "../under_load.ts";

/** Flows in all, when the memory is read. */
const marks = [25_000, 50_000, 75_000, 100_000];
const longestStretch = 600;

/** What a server used after a number of flows, whose grants are all live. */
interface Mark {
  readonly runtime: string;
  readonly server: string;
  readonly flows: number;
  /** In bytes. */
  readonly memory: number | undefined;
  /** Microseconds of the server's CPU time for one flow since the mark before. */
  readonly cpu: number | undefined;
}

export const memory: Scenario = {
  name: "memory",
  describes: "memory after 25,000 to 100,000 code flows whose grants are live (only if it is named)",
  isLong: true,
  async run(bench) {
    const figures: Mark[] = [];
    const tables: Table[] = [];
    await withGenerator(bench.cores, async () => {
      for (const runtime of bench.runtimes) {
        const own: Mark[] = [];
        for (const contestant of listContestants(bench)) {
          own.push(...await runFlows(bench, runtime, contestant));
        }
        figures.push(...own);
        tables.push(tabulate(`Memory, ${runtime.name} ${runtime.version}`, own));
      }
    });
    return {
      title: "Memory",
      tables,
      notes: [
        "No grant ends, so the memory grows with each flow. The inspector has all the requests that it keeps after the first",
        "5,000 flows. The clients send no cookies, so each flow also leaves a session.",
      ],
      figures,
    };
  },
};

function listContestants({ against }: Bench): readonly Contestant[] {
  const before = against === undefined ? [] : [startedContestant(against)];
  return [startedContestant(), ...before, withoutInspector];
}

async function runFlows(
  bench: Bench,
  runtime: Runtime,
  { label, launch }: Contestant,
): Promise<readonly Mark[]> {
  const { startServer, cores, connections, progress, algs } = bench;
  const server = await startServer([launch(bench, runtime, algs[0]!)].flat()[0]!, cores?.server);
  const flow = codeFlows({ client: confidentialClient, scope: scopes.apiPerson });
  const found: Mark[] = [];
  let done = 0;
  try {
    for (const mark of marks) {
      progress(`Memory: ${runtime.name} ${label}, ${mark} flows`);
      const stretch = { seconds: longestStretch, flows: mark - done };
      const { flows, seconds, serverCpu } = await loadFor(stretch, server, flow, connections);
      done += flows;
      found.push({
        ...{ runtime: runtime.name, server: label, flows: done, memory: server.currentMemory() },
        cpu: serverCpu === undefined ? undefined : serverCpu * seconds * 1e6 / flows,
      });
    }
  } finally {
    await server.stop();
  }
  return found;
}

function tabulate(caption: string, figures: readonly Mark[]): Table {
  return {
    caption,
    columns: ["server", "flows", "CPU µs", "MB", "kB/flow since the mark before"],
    rows: figures.map(({ server, flows, cpu, memory }, at) => {
      const before = figures[at - 1];
      const growth = before?.server === server && before.memory !== undefined && memory !== undefined
        ? (memory - before.memory) / (flows - before.flows) / 1000
        : undefined;
      return [server, `${flows}`, whole(cpu), whole(memory && memory / 1e6), fixed(growth, 2)];
    }),
  };
}
