/** Calculates what a load needs on Postgres and on a Redis cluster, from what was measured and what is assumed. */
import type { CallCpu, Measures, Range } from "./measures.ts";
import { type Lifetimes, type LiveRecords, loadOf, mix } from "./traffic.ts";

/** A figure that is not measured here. */
export interface Assumption extends Range {
  readonly says: string;
  readonly source: string;
}

type AssumptionName = "statementTime" | "commitsPerPrimary" | "commandsPerShard" | "utilisation";

export const assumptions: Readonly<Record<AssumptionName, Assumption>> = {
  statementTime: {
    low: 0.3,
    high: 2,
    says: "milliseconds that a connection is busy with one statement",
    source: "from a fast network with a log on NVMe to a zone away; not measured",
  },
  commitsPerPrimary: {
    low: 10_000,
    high: 60_000,
    says: "commits a second on one Postgres primary",
    source: "published pgbench figures for reading and writing with 8 to 32 cores, " +
      "<https://kb.ekarisky.com/databases/postgresql/benchmarks>; ours write less in each transaction",
  },
  commandsPerShard: {
    low: 50_000,
    high: 100_000,
    says: "commands a second on one Redis primary, without pipelining",
    source:
      "about 81,000 to 110,000 in the benchmark of Redis itself, <https://www.redis.io/topics/benchmarks>, " +
      "less a margin for scripts and for `appendfsync always`",
  },
  utilisation: {
    low: 0.5,
    high: 0.7,
    says: "how much of a server is used, so that a failover has room",
    source: "a usual rule; not measured",
  },
};

/** Redis keeps a record this many seconds after its end. Postgres removes it after an hour. */
export const keptAfterwards: Readonly<Record<"redis" | "postgres", number>> = {
  redis: 24 * 3600,
  postgres: 3600,
};

export interface PostgresNeeds {
  readonly reads: number;
  readonly commits: number;
  /** Octets of WAL a second. Low: no page is written whole. High: each is, as after a checkpoint. */
  readonly wal: Range;
  readonly connections: Range;
  /** Row versions a second that vacuum has to remove. */
  readonly deadRows: number;
  readonly rows: number;
  /** Octets on disk. */
  readonly disk: number;
  /** Cores that only execute statements. */
  readonly cores: Range;
  readonly primaries: Range;
}

export interface RedisNeeds {
  readonly commands: number;
  /** Octets a second that the append-only files grow. */
  readonly log: number;
  readonly network: number;
  readonly records: number;
  /** Octets of memory, without replicas. */
  readonly memory: number;
  /** Primaries that the commands need. Memory may need more. */
  readonly shards: Range;
}

export interface NeedOptions {
  readonly flowsPerSecond: number;
  readonly measures: Measures;
  readonly lifetimes?: Lifetimes;
}

export function postgresNeeds({ flowsPerSecond, measures, lifetimes }: NeedOptions): PostgresNeeds {
  const { reads, writes, created, live } = loadOf(flowsPerSecond, mix, lifetimes);
  const { statementTime, commitsPerPrimary, utilisation } = assumptions;
  const walOf = (store: string) =>
    flowsPerSecond * perFlow(measures, store, ({ written }) => written) + created * removalOf(measures);
  const cpu = measures.cpu["postgres"]!;
  const kept = live.map((records) => extend(records, keptAfterwards.postgres));
  return {
    reads,
    commits: writes,
    wal: { low: walOf("postgres"), high: walOf("postgres_first") },
    connections: {
      low: (reads + writes) * statementTime.low / 1000,
      high: (reads + writes) * statementTime.high / 1000,
    },
    // Each replaced or deleted row leaves a dead one, and so does each created one in the end.
    deadRows: writes,
    rows: sum(kept.map(({ count }) => count)),
    disk: sum(kept.map(({ count, octets }) => count * sizeOf(measures, "postgres", octets))),
    cores: coresFor(reads, writes, cpu),
    primaries: {
      low: Math.ceil(writes / (commitsPerPrimary.high * utilisation.high)),
      high: Math.ceil(writes / (commitsPerPrimary.low * utilisation.low)),
    },
  };
}

export function redisNeeds({ flowsPerSecond, measures, lifetimes }: NeedOptions): RedisNeeds {
  const { reads, writes, live } = loadOf(flowsPerSecond, mix, lifetimes);
  const { commandsPerShard, utilisation } = assumptions;
  const kept = live.map((records) => extend(records, keptAfterwards.redis));
  return {
    commands: reads + writes,
    log: flowsPerSecond * perFlow(measures, "redis", ({ written }) => written),
    network: flowsPerSecond * perFlow(measures, "redis", ({ sent = 0, received = 0 }) => sent + received),
    records: sum(kept.map(({ count }) => count)),
    memory: sum(kept.map(({ count, octets }) => count * sizeOf(measures, "redis", octets))),
    shards: {
      low: Math.ceil((reads + writes) / (commandsPerShard.high * utilisation.high)),
      high: Math.ceil((reads + writes) / (commandsPerShard.low * utilisation.low)),
    },
  };
}

function coresFor(reads: number, writes: number, { read, write }: CallCpu): Range {
  const cores = (end: keyof Range) => (reads * read[end] + writes * write[end]) / 1e6;
  return { low: cores("low"), high: cores("high") };
}

type OperationMeasure = Measures["operations"][string][string];

/** The measure of all operations that belong to one login. */
export function perFlow(
  { operations }: Measures,
  store: string,
  measure: (found: OperationMeasure) => number,
): number {
  return sum(Object.entries(mix).map(([name, share]) => share * measure(operations[name]![store]!)));
}

/** The octets that a record takes. Between the measured sizes it interpolates, and beyond them it extends the line. */
export function sizeOf({ records }: Measures, store: string, octets: number): number {
  const points = Object.entries(records).map(([size, stores]) => ({
    size: Number(size),
    taken: stores[store]!.octets,
  })).sort((one, other) => one.size - other.size);
  const index = points.findIndex(({ size }) => size >= octets);
  const above = index < 0 ? points.length - 1 : Math.max(1, index);
  const [from, to] = [points[above - 1]!, points[above]!];
  return from.taken + (to.taken - from.taken) * (octets - from.size) / (to.size - from.size);
}

/** The octets of log that the removal of one record takes, at the size of a session. */
function removalOf({ records }: Measures): number {
  return records["250"]!["postgres"]!.removal;
}

function extend(records: LiveRecords, seconds: number): LiveRecords {
  const { count, lifetime } = records;
  return { ...records, count: count * (lifetime + seconds) / lifetime };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
