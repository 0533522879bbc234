/** Simulates how the calls of one second divide over partitions, if a hash of each record's key chooses its partition. */
import { costOf, mix } from "./traffic.ts";

export interface PartitionTerms {
  readonly flowsPerSecond: number;
  /** How many clients there are. Their shares of the logins follow Zipf's law: the second has half of the first's. */
  readonly clients: number;
  /** A client with a secret has a record that counts wrong secrets. Each token request reads it. */
  readonly clientsHaveSecrets: boolean;
}

export interface HotRecord {
  readonly kind: string;
  readonly callsPerSecond: number;
  /** The share of all calls. */
  readonly share: number;
}

export interface Second {
  readonly calls: number;
  /** The busiest record of each kind, the busiest kind first. */
  readonly hottest: readonly HotRecord[];
  /** Returns the calls of the busiest partition, divided by the average. */
  busiest(partitions: number): number;
}

/** A power of two that is larger than the number of kinds. */
const mostKinds = 16;

/** Plays one second. The same terms give the same second. */
export function playSecond({ flowsPerSecond, clients, clientsHaveSecrets }: PartitionTerms): Second {
  const random = createRandom(1);
  const pickClient = createZipf(clients, random);
  const kinds: string[] = [];
  /** The calls of each record. */
  const calls = new Map<number, number>();
  let total = 0;
  let count = 0;

  function playOperation(name: string): void {
    const operation = ++count;
    const client = pickClient();
    for (const [index, call] of costOf(name).entries()) {
      const { kind } = call;
      const isOfPassword = kind === "throttle" && name === "first_login" &&
        costOf(name).slice(index).some(({ kind, verb }) => kind === "throttle" && verb === "delete");
      const isOfClient = kind === "throttle" && !isOfPassword;
      if (isOfClient && !clientsHaveSecrets) continue;
      if (!kinds.includes(kind)) kinds.push(kind);
      // Ids are random, so the number of the operation stands for the id of a grant, of a session or of a person.
      const key = (isOfClient ? -1 - client : operation) * mostKinds + kinds.indexOf(kind);
      calls.set(key, (calls.get(key) ?? 0) + 1);
      total++;
    }
  }

  for (const [name, share] of Object.entries(mix)) {
    for (let flow = 0; flow < Math.round(share * flowsPerSecond); flow++) playOperation(name);
  }

  return {
    calls: total,
    hottest: findHottest(calls, kinds, total),
    busiest(partitions) {
      const loads = new Float64Array(partitions);
      for (const [key, number] of calls) loads[hash(key) % partitions]! += number;
      return Math.max(...loads) / (total / partitions);
    },
  };
}

function findHottest(
  calls: ReadonlyMap<number, number>,
  kinds: readonly string[],
  total: number,
): readonly HotRecord[] {
  const most = new Map(kinds.map((kind) => [kind, 0]));
  for (const [key, number] of calls) {
    const kind = kinds[key & mostKinds - 1]!;
    if (number > most.get(kind)!) most.set(kind, number);
  }
  return [...most].map(([kind, callsPerSecond]) => ({ kind, callsPerSecond, share: callsPerSecond / total }))
    .sort((one, other) => other.callsPerSecond - one.callsPerSecond);
}

/** Returns a function that picks one of `count` with the weights 1, 1/2, 1/3 and so on. */
function createZipf(count: number, random: () => number): () => number {
  const sums: number[] = [];
  for (let rank = 1, sum = 0; rank <= count; rank++) sums.push(sum += 1 / rank);
  return () => {
    const point = random() * sums.at(-1)!;
    let low = 0, high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > point) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** The share of the first client, if the shares follow Zipf's law. */
export function firstShare(clients: number): number {
  let sum = 0;
  for (let rank = 1; rank <= clients; rank++) sum += 1 / rank;
  return 1 / sum;
}

/** Mixes all bits, so that similar keys get different partitions (the end of MurmurHash3). */
function hash(key: number): number {
  let state = key;
  state = Math.imul(state ^ state >>> 16, 0x85ebca6b);
  state = Math.imul(state ^ state >>> 13, 0xc2b2ae35);
  return (state ^ state >>> 16) >>> 0;
}

/** Creates a generator of the numbers from 0 to 1 that returns the same ones on every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}
