/** Whether a server stays as it is: ten minutes of single exchanges over the same logins, as people start it. */
import { withGenerator } from "../cores.ts";
import { confidentialClient, scopes } from "../clients.ts";
import {
  createClientCredentials,
  createIntrospection,
  createRefresh,
  createUserinfo,
  obtainTokens,
  type Tokens,
} from "../exchanges.ts";
import { type Flow, loadFor } from "../load.ts";
import type { Runtime } from "../../runtimes.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { startedContestant } from "../servers.ts";
import { percentile } from "../statistics.ts";
import { fixed, type Table, whole } from "../table.ts";

const logins = 1000;
const minutes = 10;

/** What a server did in one minute. */
interface Minute {
  readonly runtime: string;
  readonly minute: number;
  readonly requestsPerSecond: number;
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  /** Microseconds of the server's CPU time for one request. */
  readonly cpu: number | undefined;
  /** In bytes, at the end of the minute. */
  readonly memory: number | undefined;
}

export const longLoad: Scenario = {
  name: "long_load",
  describes: "ten minutes of refresh, userinfo, introspection and client credentials (only if it is named)",
  isLong: true,
  async run(bench) {
    const figures: Minute[] = [];
    const tables: Table[] = [];
    const notes: string[] = [];
    await withGenerator(bench.cores, async () => {
      for (const runtime of bench.runtimes) {
        const own = await runMinutes(bench, runtime);
        figures.push(...own);
        tables.push(tabulate(`Long load, ${runtime.name} ${runtime.version}`, own));
        notes.push(`${runtime.name}: ${describeChange(own)}`);
      }
    });
    return {
      title: "Long load",
      tables,
      notes: [
        `Refresh, userinfo, introspection and client credentials in turn, over ${logins} logins, with the inspector and`,
        "with a line for each request. The inspector has all the requests that it keeps before the end of the first",
        "minute, so that from there memory should not grow and no request should become slower.",
        ...notes,
      ],
      figures,
    };
  },
};

async function runMinutes(bench: Bench, runtime: Runtime): Promise<readonly Minute[]> {
  const { startServer, cores, connections, minute: seconds } = bench;
  const launch = startedContestant().launch(bench, runtime, bench.algs[0]!);
  const server = await startServer([launch].flat()[0]!, cores?.server);
  const flow = createFlow(connections);
  const found: Minute[] = [];
  try {
    for (let minute = 1; minute <= minutes; minute++) {
      bench.progress(`Long load: ${runtime.name}, minute ${minute}`);
      const { latencies, flows, serverCpu, ...slice } = await loadFor({ seconds }, server, flow, connections);
      latencies.sort();
      found.push({
        ...{ runtime: runtime.name, minute, requestsPerSecond: flows / slice.seconds },
        ...{ p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
        cpu: serverCpu === undefined ? undefined : serverCpu * slice.seconds * 1e6 / flows,
        memory: server.currentMemory(),
      });
    }
  } finally {
    await server.stop();
  }
  return found;
}

/** Each connection has its share of the logins, and keeps it from one minute to the next. */
function createFlow(connections: number): Flow {
  const shares = Array.from({ length: connections }, (): Tokens[] => []);
  let opened = 0;
  return async (connection, server) => {
    const share = shares[opened++ % connections]!;
    const terms = { client: confidentialClient, scope: scopes.personOffline };
    while (share.length < logins / connections) {
      const { access_token: accessToken, refresh_token: refreshToken } = await obtainTokens(
        ["access_token", "refresh_token"],
        connection,
        server,
        terms,
      );
      share.push({ accessToken, refreshToken });
    }
    const refresh = createRefresh(connection, server);
    const readUserinfo = createUserinfo(connection, server);
    const introspect = createIntrospection(connection, server);
    const getOwnToken = createClientCredentials(connection, server);
    const exchanges: readonly ((index: number) => Promise<void>)[] = [
      async (index) => {
        share[index] = await refresh(share[index]!.refreshToken);
      },
      (index) => readUserinfo(share[index]!.accessToken),
      (index) => introspect(share[index]!.accessToken),
      () => getOwnToken(),
    ];
    let count = 0;
    return () => {
      const index = Math.floor(count / exchanges.length) % share.length;
      return exchanges[count++ % exchanges.length]!(index);
    };
  };
}

function tabulate(caption: string, figures: readonly Minute[]): Table {
  return {
    caption,
    columns: ["minute", "requests/s", "median ms", "p99 ms", "CPU µs", "MB"],
    rows: figures.map(({ minute, requestsPerSecond, p50, p99, cpu, memory }) => [
      ...[`${minute}`, whole(requestsPerSecond), fixed(p50, 2), fixed(p99, 1), whole(cpu)],
      whole(memory && memory / 1e6),
    ]),
  };
}

/** Compares the last minute with the second: the first one has the compilers of the runtime in it. */
function describeChange(figures: readonly Minute[]): string {
  const second = figures[1]!;
  const last = figures.at(-1)!;
  const growth = second.memory && last.memory && (last.memory / second.memory - 1) * 100;
  const slower = second.p50 && last.p50 && last.p50 / second.p50;
  return `from the second to the last minute, memory grew by ${
    fixed(growth, 1)
  } %, and the median of the last is ` +
    `${fixed(slower, 2)} × that of the second`;
}
