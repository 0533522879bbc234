/** Measures what each operation, and each record, costs on SQLite, Postgres and Redis. */
import type { Kind } from "../../src/server/store/store.ts";
import { createRandomBytes, randomText } from "../../src/ground/crypto/bytes.ts";
import { median } from "../bench/statistics.ts";
import { type MeasuredEngine, openPostgres, openRedis, openSqlite } from "./measured_engine.ts";
import type { CallCpu, Measures, OperationMeasure, Range, RecordMeasure } from "./measures.ts";
import { type Operation, operations } from "../../tests/scale/operations.ts";
import { openSite } from "../../tests/scale/site.ts";

const repetitions = 5;
const recordCount = 2000;
const callCount = 4000;
const cpuRounds = 5;
/** Values of typical records: a mark, a session, a grant, a key set. */
const valueSizes = [20, 250, 700, 2000];

export async function measureStores(progress: (line: string) => void): Promise<Measures> {
  const found: {
    operations: Record<string, Record<string, OperationMeasure>>;
    records: Record<string, Record<string, RecordMeasure>>;
    cpu: Record<string, CallCpu>;
  } = { operations: {}, records: {}, cpu: {} };
  const versions = new Set<string>();
  const engines = [
    { name: "sqlite", open: openSqlite },
    { name: "postgres", open: () => openPostgres({ fullPages: false }) },
    { name: "postgres_first", open: () => openPostgres({ fullPages: true }) },
    { name: "redis", open: openRedis },
  ];
  for (const { name, open } of engines) {
    const engine = await open();
    try {
      versions.add(engine.version);
      // The records come first, so that the operations find a table that is not small.
      for (const size of name === "postgres_first" ? [250] : valueSizes) {
        progress(`${name}: records of ${size} octets`);
        (found.records[size] ??= {})[name] = await measureRecord(engine, size);
      }
      if (name !== "postgres_first" && engine.cpu !== undefined) {
        progress(`${name}: CPU time`);
        found.cpu[name] = await measureCpu(engine, engine.cpu);
      }
      for (const operation of operations) {
        progress(`${name}: ${operation.title}`);
        (found.operations[operation.name] ??= {})[name] = await measureOperation(engine, operation);
      }
    } finally {
      await engine.close();
    }
  }
  delete found.records["250"]!["postgres_first"];
  return { versions: [...versions], ...found };
}

/** Returns the medians of several repetitions, so that a sweep or a checkpoint in between does not count. */
async function measureOperation(engine: MeasuredEngine, operation: Operation): Promise<OperationMeasure> {
  const { store, traffic } = engine;
  const site = await openSite(store, operation.options);
  try {
    await site.logIn();
    await site.get("/oauth2/jwks");
    // Each connection prepares a statement when it first uses it.
    await (await operation.prepare(site))();
    const measures: OperationMeasure[] = [];
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const run = await operation.prepare(site);
      await engine.settle();
      const [writtenBefore, before] = [await engine.written(), traffic?.()];
      await run();
      const after = traffic?.();
      measures.push({
        ...(before && after
          ? {
            roundTrips: after.roundTrips - before.roundTrips,
            sent: after.sent - before.sent,
            received: after.received - before.received,
          }
          : {}),
        written: await engine.written() - writtenBefore,
      });
    }
    const middle = (name: keyof OperationMeasure) =>
      median(measures.map((measure) => measure[name] ?? 0)) ?? 0;
    return traffic === undefined ? { written: middle("written") } : {
      roundTrips: middle("roundTrips"),
      sent: middle("sent"),
      received: middle("received"),
      written: middle("written"),
    };
  } finally {
    await site.world.close();
  }
}

/** Writes many records with random ids, and removes them again. */
async function measureRecord(engine: MeasuredEngine, valueSize: number): Promise<RecordMeasure> {
  const { store } = engine;
  const kind: Kind<string> = { name: "grant" };
  // Two octets are the quotation marks. Random text, because Postgres compresses values.
  const value = randomText(createRandomBytes(), valueSize).slice(0, valueSize - 2);
  const now = 1_800_000_000;
  const ids = Array.from({ length: recordCount }, () => crypto.randomUUID().replaceAll("-", "").slice(0, 22));
  const before = await engine.size();
  for (const id of ids) await store.put(kind, id, value, { now, expiresAt: now + 60, if: null });
  await engine.settle();
  const octets = (await engine.size() - before) / recordCount;
  const writtenBefore = await engine.written();
  if (store.sweep === undefined) {
    for (const id of ids) await store.delete(kind, id);
    return { octets, removal: 0 };
  }
  await store.sweep(recordCount, now + 1e6);
  return { octets, removal: (await engine.written() - writtenBefore) / recordCount };
}

/**
 * Measures CPU time and not elapsed time, because other programs change it less. They still change it, so the result is
 * that of the cheapest and of the dearest round.
 */
async function measureCpu({ store }: MeasuredEngine, cpu: () => Promise<number>): Promise<CallCpu> {
  const kind: Kind<string> = { name: "grant" };
  const value = randomText(createRandomBytes(), 700).slice(0, 698);
  const terms = { now: 1_800_000_000, expiresAt: 1_800_000_060 };
  const rounds = { read: [] as number[], write: [] as number[] };
  for (let round = 0; round < cpuRounds; round++) {
    const ids = Array.from({ length: callCount }, (_, index) => `cpu-${round}-${index}`);
    // Several calls at a time, as a server makes them.
    const forEachId = async (call: (id: string) => Promise<unknown>) => {
      for (let start = 0; start < ids.length; start += 16) {
        await Promise.all(ids.slice(start, start + 16).map(call));
      }
    };
    const before = await cpu();
    await forEachId((id) => store.put(kind, id, value, { ...terms, if: null }));
    const written = await cpu();
    await forEachId((id) => store.get(kind, id, terms.now));
    const read = await cpu();
    rounds.write.push((written - before) * 1e6 / callCount);
    rounds.read.push((read - written) * 1e6 / callCount);
  }
  return { read: rangeOf(rounds.read), write: rangeOf(rounds.write) };
}

function rangeOf(values: readonly number[]): Range {
  return { low: Math.min(...values), high: Math.max(...values) };
}
