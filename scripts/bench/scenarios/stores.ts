/** Complete code flows on each store, with one process and with two that share the store. */
import { findPostgresProblem, startPostgres } from "../../../tests/servers/start_postgres.ts";
import { findRedisProblem, startRedis } from "../../../tests/servers/start_redis.ts";
import { codeFlows } from "../authorize.ts";
import { confidentialClient, scopes } from "../clients.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { posternLaunches } from "../servers.ts";
import { compareUnderLoad, type Contestant } from "../under_load.ts";

/** A store of the comparison, with its server, if it needs one. */
interface OpenStore {
  readonly name: string;
  /** The store as `posternLaunches` takes it. */
  readonly store: string;
  readonly processes: readonly number[];
  close(): Promise<void>;
}

export const stores: Scenario = {
  name: "stores",
  describes: "complete code flows a second on each store, at one and two processes",
  async run(bench) {
    const open: OpenStore[] = [];
    const notes: string[] = [];
    // A database server of the tests does not keep this process alive while it ends.
    const alive = setInterval(() => {}, 1000);
    try {
      for (const name of bench.sharedStores) {
        const problem = openers[name]!.findProblem();
        if (problem === undefined) open.push(await openers[name]!.open());
        else notes.push(`${name}: not measured: ${problem}`);
      }
      return await compareUnderLoad({
        title: "Code flow, by store",
        flow: codeFlows({ client: confidentialClient, scope: scopes.api }),
        contestants: () => open.flatMap(listContestants),
        comparedWith: [nameServer("memory", 1)],
        notes: [
          ...notes,
          "Each flow is authorize with automatic sign-in, then token with a client secret and a refresh token. Two processes",
          "share the store, and the connections are divided among them. The load, the servers and the databases share all",
          "cores, so that on two cores the second process has no core of its own. SQLite, Postgres (fsync) and Redis",
          "(appendfsync always) have each write on the disk before they answer.",
        ],
      }, { ...bench, algs: bench.algs.slice(0, 1), cores: undefined });
    } finally {
      await Promise.all(open.map(({ close }) => close()));
      clearInterval(alive);
    }
  },
};

function nameServer(store: string, processes: number): string {
  return `${store}, ${processes === 1 ? "one process" : "two processes"}`;
}

function listContestants({ name, store, processes }: OpenStore): readonly Contestant[] {
  return processes.map((count) => ({
    label: nameServer(name, count),
    launch: (bench: Bench, runtime, alg) =>
      posternLaunches(bench, runtime, { alg, store, accessTokens: "jwt" }, count),
  }));
}

const noServer = { findProblem: () => undefined, close: () => Promise.resolve() };

const openers: Readonly<
  Record<string, { findProblem(): string | undefined; open(): Promise<OpenStore> }>
> = {
  memory: {
    ...noServer,
    // A second process would have another memory.
    open: () => Promise.resolve({ ...noServer, name: "memory", store: "memory", processes: [1] }),
  },
  sqlite: {
    ...noServer,
    open: () => Promise.resolve({ ...noServer, name: "sqlite", store: "sqlite", processes: [1, 2] }),
  },
  postgres: {
    findProblem: findPostgresProblem,
    async open() {
      const { url, end } = await startPostgres();
      return { name: "postgres", store: url, processes: [1, 2], close: end };
    },
  },
  redis: {
    findProblem: findRedisProblem,
    async open() {
      const { url, end } = await startRedis({ appendonly: "yes", appendfsync: "always", databases: "1" });
      return { name: "redis", store: url, processes: [1, 2], close: end };
    },
  },
};
