/** The arithmetic of the simulation behind docs/scale.md. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Measures } from "../../scripts/scale/measures.ts";
import { perFlow, postgresNeeds, redisNeeds, sizeOf } from "../../scripts/scale/needs.ts";
import { operationCosts } from "../../scripts/scale/operation_costs.ts";
import { firstShare, playSecond } from "../../scripts/scale/partitions.ts";
import { loadOf, mix } from "../../scripts/scale/traffic.ts";
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

test("traffic: a grant counts once, with the lifetime that its redemption gives it", () => {
  const { live } = loadOf(1, { next_login: 1 });
  const redemption = operationCosts.get("next_login")!.findLast(({ kind }) => kind === "grant")!;
  assertEquals(live, [{
    kind: "grant",
    count: redemption.lifetime,
    octets: redemption.octets,
    lifetime: redemption.lifetime,
  }]);
});

test("traffic: attempts of a password do not stay, and consents do not follow from the rate", () => {
  const kinds = loadOf(1, { first_login: 1 }).live.map(({ kind }) => kind);
  assertEquals(kinds, ["grant", "session"]);
});

const terms = { flowsPerSecond: 2000, clients: 100, clientsHaveSecrets: true };

test("partitions: the same terms give the same second, with all calls of the traffic", () => {
  const second = playSecond(terms);
  const { reads, writes } = loadOf(2000);
  assertEquals(second.calls, Math.round(reads + writes));
  assertEquals(second.busiest(64), playSecond(terms).busiest(64));
  assertEquals(second.busiest(1), 1);
});

test("partitions: the largest client's record is the hottest, and no other record is hot", () => {
  const { hottest } = playSecond(terms);
  assertEquals(hottest[0]!.kind, "throttle");
  // Three requests with a secret for each login: code, refresh, introspection.
  assertAlmostEquals(hottest[0]!.callsPerSecond, 3 * 2000 * firstShare(100), 100);
  assert(hottest[1]!.callsPerSecond < 10);
});

test("partitions: a hot record makes its partition busier, the more partitions there are", () => {
  const withSecrets = playSecond(terms);
  const withKeys = playSecond({ ...terms, clientsHaveSecrets: false });
  assert(withSecrets.calls > withKeys.calls);
  for (const partitions of [16, 64, 256]) {
    assert(withSecrets.busiest(partitions) > withKeys.busiest(partitions));
    assert(withSecrets.busiest(4 * partitions) > withSecrets.busiest(partitions));
    const { share } = withSecrets.hottest[0]!;
    assert(withSecrets.busiest(partitions) >= share * partitions);
  }
});

test("partitions: random keys divide as random numbers do", () => {
  const { calls, busiest } = playSecond({ ...terms, clientsHaveSecrets: false });
  const partitions = 16;
  const mean = calls / partitions;
  // Records are read several times, so the deviation is larger than that of single calls.
  assert((busiest(partitions) - 1) * mean < 12 * Math.sqrt(mean));
});

test("partitions: the share of the first of n clients is one by the sum of 1/1 to 1/n", () => {
  assertAlmostEquals(firstShare(1), 1);
  assertAlmostEquals(firstShare(2), 2 / 3);
  assertAlmostEquals(firstShare(3), 6 / 11);
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

test("needs: sizes between two measured ones lie on the line between them, and beyond on the same line", () => {
  assertEquals(sizeOf(measures, "postgres", 20), 100);
  assertEquals(sizeOf(measures, "postgres", 135), 250);
  assertEquals(sizeOf(measures, "redis", 700), 1700);
  assertAlmostEquals(sizeOf(measures, "postgres", 2100), 2250);
});

test("needs: the log of a login is that of its operations", () => {
  assertAlmostEquals(perFlow(measures, "postgres", ({ written }) => written), 100 * operationsPerFlow);
});

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

test("needs: Redis keeps each record a day longer", () => {
  const load = loadOf(1000);
  const needs = redisNeeds({ flowsPerSecond: 1000, measures });
  assertEquals(needs.commands, load.reads + load.writes);
  assertAlmostEquals(needs.network, 1000 * 50 * operationsPerFlow, 1e-6);
  const expected = load.live.reduce((sum, { count, lifetime }) => sum + count + count / lifetime * 86400, 0);
  assertAlmostEquals(needs.records, expected, 1);
});

function assertAlmostEquals(found: number, expected: number, difference = 1e-9): void {
  assert(Math.abs(found - expected) <= difference, `${found} instead of ${expected}`);
}
