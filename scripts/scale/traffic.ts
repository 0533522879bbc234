/** The traffic of docs/scale.md: what happens for each login, and what that asks of a store every second. */
import type { StoreCall } from "../../tests/scale/counted_store.ts";
import { operationCosts } from "../../tests/scale/operation_costs.ts";

/**
 * How often each operation happens for one login. An assumption: of 20 logins, one needs the password and the consent
 * page, and each access token is used for one userinfo request, one introspection and one refresh.
 */
export const mix: Readonly<Record<string, number>> = {
  first_login: 0.05,
  next_login: 0.95,
  refresh: 1,
  introspection: 1,
  userinfo: 1,
};

/** What a store does every second. */
export interface StoreLoad {
  readonly reads: number;
  /** Puts and deletes. Each is a transaction of its own. */
  readonly writes: number;
  /** New records. */
  readonly created: number;
  /** Records of a kind that are live at the same time, after the load has lasted for their lifetime. */
  readonly live: readonly LiveRecords[];
}

export interface LiveRecords {
  readonly kind: string;
  readonly count: number;
  /** The size of one value as JSON. */
  readonly octets: number;
  readonly lifetime: number;
}

/** Lifetimes other than those of the operations' records, by kind, in seconds. */
export type Lifetimes = Readonly<Record<string, number>>;

export function loadOf(
  flowsPerSecond: number,
  operations: Readonly<Record<string, number>> = mix,
  lifetimes: Lifetimes = {},
): StoreLoad {
  const calls = Object.entries(operations).flatMap(([name, share]) =>
    costOf(name).map((call) => ({ call, rate: share * flowsPerSecond }))
  );
  const rateOf = (isMeant: (call: StoreCall) => boolean) =>
    calls.reduce((sum, { call, rate }) => isMeant(call) ? sum + rate : sum, 0);
  return {
    reads: rateOf(({ verb }) => verb === "read"),
    writes: rateOf(({ verb }) => verb !== "read"),
    created: rateOf(({ verb }) => verb === "create" || verb === "write"),
    live: findLive(calls, lifetimes),
  };
}

export function costOf(name: string): readonly StoreCall[] {
  const cost = operationCosts.get(name);
  if (cost === undefined) throw new Error(`There is no operation "${name}"`);
  return cost;
}

/** There is one for each person and client, so their number does not follow from the rate of the logins. */
export const perPerson: ReadonlySet<string> = new Set(["consent"]);

/** The clients have secrets, and their shares of the logins follow Zipf's law: the second has half of the first's. */
export const clients = 1000;

/** With each login a client sends its secret three times: for the code, the refresh and the introspection. */
const secretsPerFlow = 3;

/** The share of the largest client. */
export function firstShare(count: number): number {
  return 1 / Array.from({ length: count }, (_, index) => 1 / (index + 1)).reduce((sum, part) => sum + part);
}

/** How often a second the busiest record is read: the one that counts the wrong secrets of the largest client. */
export function readsOfBusiest(flowsPerSecond: number): number {
  return flowsPerSecond * secretsPerFlow * firstShare(clients);
}

/** The calls of the partition with that record, compared with the average. The other records divide evenly. */
export function busiestPartition(partitions: number): number {
  const { reads, writes } = loadOf(1);
  return 1 + readsOfBusiest(1) / (reads + writes) * (partitions - 1);
}

/** A record lives as long as its last write says. A record that its own operation deletes does not count. */
function findLive(
  calls: readonly { readonly call: StoreCall; readonly rate: number }[],
  lifetimes: Lifetimes,
): readonly LiveRecords[] {
  const kinds = new Set(calls.map(({ call }) => call.kind));
  return [...kinds].flatMap((kind) => {
    const puts = calls.filter(({ call }) => call.kind === kind && call.lifetime > 0);
    const created = puts.filter(({ call }) => call.verb === "create" || call.verb === "write");
    const isDeleted = calls.some(({ call }) => call.kind === kind && call.verb === "delete");
    if (created.length === 0 || isDeleted || perPerson.has(kind)) return [];
    const last = puts.reduce((longest, put) => put.call.lifetime > longest.call.lifetime ? put : longest);
    const lifetime = lifetimes[kind] ?? last.call.lifetime;
    const rate = created.reduce((sum, put) => sum + put.rate, 0);
    return [{ kind, count: rate * lifetime, octets: last.call.octets, lifetime }];
  });
}
