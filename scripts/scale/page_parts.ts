/** The parts of docs/scale.md that come from counts, measurements and calculation. */
import type { CourseFigures } from "../bench/course_figures.ts";
import { code, table } from "../reference/markdown.ts";
import type { StoreCall } from "../../tests/scale/counted_store.ts";
import type { Measures, Range } from "./measures.ts";
import { assumptions, postgresNeeds, redisNeeds, sizeOf } from "./needs.ts";
import { operations } from "../../tests/scale/operations.ts";
import {
  busiestPartition,
  clients,
  costOf,
  firstShare,
  type Lifetimes,
  loadOf,
  mix,
  readsOfBusiest,
} from "./traffic.ts";

export interface Speeds {
  /** The runtime and the machine. */
  readonly conditions: string;
  readonly figures: readonly CourseFigures[];
}

/** The parts by the names of their marks in the page. */
export function writeParts(measures: Measures, speeds: Speeds | undefined): ReadonlyMap<string, string> {
  return new Map([
    ["calls", writeCalls()],
    ["wire", writeWire(measures)],
    ["records", writeRecords(measures)],
    ["mix", writeMix()],
    ["live", writeLive(measures)],
    ["hot", writeHot()],
    ["partitions", writePartitions()],
    ["postgres", writePostgres(measures)],
    ["redis", writeRedis(measures)],
    ["assumptions", writeAssumptions(measures)],
    ...(speeds === undefined ? [] : [["speeds", writeSpeeds(speeds)] as const]),
  ]);
}

const rates = [10_000, 100_000];
/** With `refreshIdle: "4h"`. The server keeps a grant for twice that. */
const shortLifetimes: Lifetimes = { grant: 8 * 3600 };

function writeCalls(): string {
  const verbs = ["read", "create", "replace", "write", "delete"] as const;
  return table(
    ["operation", ...verbs.map((verb) => titles[verb]), "octets read", "octets written"],
    operations.map(({ name, title }) => {
      const calls = costOf(name);
      const octets = (isMeant: (call: StoreCall) => boolean) =>
        calls.filter(isMeant).reduce((sum, { octets }) => sum + octets, 0);
      return [
        title,
        ...verbs.map((verb) => count(calls.filter((call) => call.verb === verb).length)),
        whole(octets(({ verb }) => verb === "read")),
        whole(octets(({ verb }) => verb !== "read")),
      ];
    }),
  );
}

const titles = {
  read: "reads",
  create: "`if: null`",
  replace: "`if: version`",
  write: "without `if`",
  delete: "deletes",
} as const;

function writeWire({ operations: measured, versions }: Measures): string {
  const rows = operations.map(({ name, title }) => {
    const { sqlite, postgres, redis } = measured[name]!;
    return [
      title,
      count(postgres?.roundTrips ?? 0),
      `${whole(postgres?.sent ?? 0)} / ${whole(postgres?.received ?? 0)}`,
      whole(postgres?.written ?? 0),
      `${whole(redis?.sent ?? 0)} / ${whole(redis?.received ?? 0)}`,
      whole(redis?.written ?? 0),
      whole(sqlite?.written ?? 0),
    ];
  });
  const header = [
    "operation",
    "round trips",
    "Postgres out / in",
    "Postgres WAL",
    "Redis out / in",
    "Redis AOF",
    "SQLite WAL",
  ];
  return `${table(header, rows)}\n\nMeasured with ${versions.join(", ")}.`;
}

function writeRecords({ records }: Measures): string {
  return table(
    ["octets of the value", "SQLite", "Postgres", "Redis"],
    Object.entries(records).map(([size, stores]) => [
      whole(Number(size)),
      ...["sqlite", "postgres", "redis"].map((store) => whole(stores[store]!.octets)),
    ]),
  );
}

function writeMix(): string {
  const { reads, writes } = loadOf(1);
  const parts = Object.entries(mix).map(([name, share]) =>
    `- ${share}: ${operations.find((operation) => operation.name === name)!.title}`
  );
  return `${parts.join("\n")}\n\nThat is ${fixed(reads)} reads and ${fixed(writes)} writes for each login.`;
}

/** What is stored for one login a second, all day long. */
function writeLive(measures: Measures): string {
  const rows = [{}, shortLifetimes].flatMap((lifetimes, index) =>
    loadOf(1, mix, lifetimes).live.filter(({ kind }) => index === 0 || kind in lifetimes).map((records) => [
      code(records.kind),
      duration(records.lifetime),
      whole(records.count),
      octets(records.count * sizeOf(measures, "postgres", records.octets)),
      octets(
        records.count * (records.lifetime + 86400) / records.lifetime *
          sizeOf(measures, "redis", records.octets),
      ),
    ])
  );
  return table(["record", "kept for", "records", "Postgres", "Redis"], rows);
}

function writeHot(): string {
  const rows = rates.map((rate) => {
    const { reads, writes } = loadOf(rate);
    return [rate, reads + writes, readsOfBusiest(rate)].map(whole);
  });
  return table(["logins a second", "calls a second", "reads of the busiest record"], rows);
}

function writePartitions(): string {
  const steps = [4, 16, 64, 256, 1024];
  return table(["partitions", ...steps.map(whole)], [
    [
      "calls of the busiest one, compared with the average",
      ...steps.map((step) => fixed(busiestPartition(step))),
    ],
  ]);
}

const withDefaults = (flowsPerSecond: number, measures: Measures) => ({ flowsPerSecond, measures });

function writePostgres(measures: Measures): string {
  const needs = rates.map((rate) => postgresNeeds(withDefaults(rate, measures)));
  const short = rates.map((rate) =>
    postgresNeeds({ ...withDefaults(rate, measures), lifetimes: shortLifetimes })
  );
  return table(["Postgres needs", ...rates.map((rate) => `${whole(rate)} logins a second`)], [
    ["reads a second", ...needs.map(({ reads }) => whole(reads))],
    ["commits a second, one for each write", ...needs.map(({ commits }) => whole(commits))],
    ["WAL a second", ...needs.map(({ wal }) => range(wal, octets))],
    ["row versions a second for vacuum", ...needs.map(({ deadRows }) => whole(deadRows))],
    ["connections in use", ...needs.map(({ connections }) => range(connections, whole))],
    ["cores that execute statements", ...needs.map(({ cores }) => range(cores, whole))],
    ["primaries", ...needs.map(({ primaries }) => range(primaries, whole))],
    ["rows, with the default lifetimes", ...needs.map(({ rows }) => whole(rows))],
    ["disk, with the default lifetimes", ...needs.map(({ disk }) => octets(disk))],
    ['disk, with `refreshIdle: "4h"`', ...short.map(({ disk }) => octets(disk))],
  ]);
}

function writeRedis(measures: Measures): string {
  const needs = rates.map((rate) => redisNeeds(withDefaults(rate, measures)));
  const short = rates.map((rate) =>
    redisNeeds({ ...withDefaults(rate, measures), lifetimes: shortLifetimes })
  );
  return table(["a Redis cluster needs", ...rates.map((rate) => `${whole(rate)} logins a second`)], [
    ["commands a second", ...needs.map(({ commands }) => whole(commands))],
    ["append-only files, growth a second", ...needs.map(({ log }) => octets(log))],
    ["network, both ways, a second", ...needs.map(({ network }) => octets(network))],
    ["primaries, for the commands", ...needs.map(({ shards }) => range(shards, whole))],
    [
      "commands a second of each primary",
      ...needs.map(({ commands, shards }) =>
        range({ low: commands / shards.high, high: commands / shards.low }, whole)
      ),
    ],
    ["records, with the default lifetimes", ...needs.map(({ records }) => whole(records))],
    ["memory, with the default lifetimes", ...needs.map(({ memory }) => octets(memory))],
    ['memory, with `refreshIdle: "4h"`', ...short.map(({ memory }) => octets(memory))],
  ]);
}

function writeAssumptions({ cpu }: Measures): string {
  const { postgres, redis } = cpu;
  const share = Math.round(firstShare(clients) * 100);
  const rows = Object.values(assumptions).map(({ low, high, says, source }) => [
    says,
    `${low.toLocaleString("en")} to ${high.toLocaleString("en")}`,
    source,
  ]);
  return table(["assumption", "value", "source"], [
    ...rows,
    [
      "CPU time of Postgres for a read and for a write, in microseconds",
      `${range(postgres!.read, whole)} and ${range(postgres!.write, whole)}`,
      "measured here in several rounds, with 16 calls at a time, while other programs ran",
    ],
    [
      "CPU time of Redis for a read and for a write, in microseconds",
      `${range(redis!.read, fixed)} and ${range(redis!.write, fixed)}`,
      "measured here in the same way; commands that arrive one by one cost more, so the table uses the figure above",
    ],
    [
      "how the logins divide over the clients",
      `${whole(clients)} clients by Zipf's law`,
      `an assumption: the largest client has ${share} % of the logins`,
    ],
    [
      "how long Redis keeps a record after its end",
      "1 day",
      "the code; Postgres removes it after an hour",
    ],
  ]);
}

function writeSpeeds({ conditions, figures }: Speeds): string {
  const header = ["store", "logins a second", "slowest to fastest", "× memory", "p50 ms", "p99 ms"];
  const rows = figures.filter(({ trouble }) => trouble === undefined).map((figure) => [
    figure.server,
    whole(figure.flowsPerSecond ?? NaN),
    range({ low: figure.lowest, high: figure.highest }, whole),
    Object.values(figure.ratios)[0]?.toFixed(2) ?? "1",
    ...[figure.p50, figure.p99].map((each) => fixed(each ?? NaN)),
    whole(figure.cpu ?? NaN),
  ]);
  return `${table([...header, "server CPU µs"], rows)}\n\nMeasured on ${conditions}.`;
}

function count(value: number): string {
  return value === 0 ? "–" : `${value}`;
}

function whole(value: number): string {
  // Estimates of many digits would look more exact than they are.
  const rounded = value >= 1e6 ? Number(value.toPrecision(3)) : Math.round(value);
  return rounded.toLocaleString("en");
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function range({ low, high }: Range, show: (value: number) => string): string {
  return show(low) === show(high) ? show(low) : `${show(low)} to ${show(high)}`;
}

function octets(value: number): string {
  const units = ["octets", "kB", "MB", "GB", "TB", "PB"];
  const power = Math.max(0, Math.floor(Math.log10(value) / 3));
  return `${Number((value / 1000 ** power).toPrecision(2))} ${units[power]}`;
}

function duration(seconds: number): string {
  return seconds >= 2 * 86400 ? `${Math.round(seconds / 86400)} days` : `${Math.round(seconds / 3600)} hours`;
}
