/** The arithmetic behind docs/scale.md. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Measures } from "../../scripts/scale/measures.ts";
import { postgresNeeds } from "../../scripts/scale/needs.ts";
import { operationCosts } from "./operation_costs.ts";
import {
  busiestPartition,
  clients,
  firstShare,
  loadOf,
  mix,
  readsOfBusiest,
} from "../../scripts/scale/traffic.ts";
import { test } from "../runner.ts";

test("traffic: reads and writes are those of the operations, times their shares and the rate", () => {
  // A refresh reads three records and replaces the grant.
  assertEquals(counts(loadOf(100, { refresh: 2 })), { reads: 600, writes: 200, created: 0 });
  // A mark of a used assertion is a put with `if: null`.
  assertEquals(counts(loadOf(3, { client_credentials_with_key: 1 })), { reads: 0, writes: 3, created: 3 });
  const one = loadOf(1), many = loadOf(10_000);
  assertAlmostEquals(many.reads, one.reads * 10_000, 1e-6);
  assertThrows(() => loadOf(1, { no_such: 1 }), Error, "no_such");
});

function counts({ reads, writes, created }: ReturnType<typeof loadOf>) {
  return { reads, writes, created };
}

test("traffic: live records are the new ones of a second, times their lifetime", () => {
  const { live } = loadOf(10, { client_credentials_with_key: 1 });
  const { lifetime, octets } = operationCosts.get("client_credentials_with_key")![0]!;
  assertEquals(live, [{ kind: "once", count: 10 * lifetime, octets, lifetime }]);
  const shorter = loadOf(10, { client_credentials_with_key: 1 }, { once: 5 }).live[0]!;
  assertEquals([shorter.count, shorter.lifetime], [50, 5]);
});

test("partitions: the record of the largest client makes its partition busier, the more there are", () => {
  assertAlmostEquals(readsOfBusiest(2000), 3 * 2000 * firstShare(clients));
  const { reads, writes } = loadOf(2000);
  const share = readsOfBusiest(2000) / (reads + writes);
  assertAlmostEquals(busiestPartition(1), 1);
  // its own partition has all of its calls, and as many of the others as every partition
  assertAlmostEquals(busiestPartition(64), 64 * (share + (1 - share) / 64));
});

const stores = (value: number) => ({
  sqlite: { octets: value, removal: 1 },
  postgres: { octets: value, removal: 10 },
  redis: { octets: 2 * value, removal: 0 },
});
const measures: Measures = {
  versions: [],
  operations: Object.fromEntries(
    Object.keys(mix).map((name) => [name, {
      sqlite: { written: 1 },
      postgres: { roundTrips: 1, sent: 1, received: 1, written: 100 },
      postgres_first: { roundTrips: 1, sent: 1, received: 1, written: 1000 },
      redis: { roundTrips: 1, sent: 30, received: 20, written: 70 },
    }]),
  ),
  records: { 20: stores(100), 250: stores(400), 700: stores(850), 2000: stores(2150) },
  cpu: {
    postgres: { read: { low: 10, high: 20 }, write: { low: 100, high: 300 } },
    redis: { read: { low: 1, high: 1 }, write: { low: 5, high: 5 } },
  },
};
const operationsPerFlow = Object.values(mix).reduce((sum, share) => sum + share, 0);

test("needs: Postgres commits each write, and ranges go from the best to the worst assumption", () => {
  const load = loadOf(1000);
  const needs = postgresNeeds({ flowsPerSecond: 1000, measures });
  assertEquals([needs.reads, needs.commits], [load.reads, load.writes]);
  assertAlmostEquals(needs.wal.low, 1000 * 100 * operationsPerFlow + load.created * 10, 1e-6);
  assertAlmostEquals(needs.wal.high, 1000 * 1000 * operationsPerFlow + load.created * 10, 1e-6);
  assertAlmostEquals(needs.connections.low, (load.reads + load.writes) * 0.0003, 1e-9);
  assertAlmostEquals(needs.cores.low, (load.reads * 10 + load.writes * 100) / 1e6, 1e-9);
  assertAlmostEquals(needs.cores.high, (load.reads * 20 + load.writes * 300) / 1e6, 1e-9);
  // 3,250 commits at half of 10,000, and at 70 % of 60,000.
  assertEquals(needs.primaries, { low: 1, high: 1 });
  assertEquals(postgresNeeds({ flowsPerSecond: 100_000, measures }).primaries, { low: 8, high: 65 });
});

function assertAlmostEquals(found: number, expected: number, difference = 1e-9): void {
  assert(Math.abs(found - expected) <= difference, `${found} instead of ${expected}`);
}
