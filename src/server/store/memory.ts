/** A store in the memory of this process. It keeps JSON text, so that values behave as they do in the other stores. */
import {
  type Entry,
  type Kind,
  type PutTerms,
  type Store,
  StoreUnavailable,
  sweepDelay,
  sweepEvery,
  sweepLimit,
  type Version,
  writeValue,
} from "./store.ts";

interface StoredRecord {
  readonly siblings: Map<string, StoredRecord>;
  readonly id: string;
  text: string;
  version: Version;
  expiresAt: number;
  minute: Minute;
  /** Its index in `minute.records`, so that it can be removed without a search. */
  index: number;
}

/** The records that expire in one minute: after its start, up to and including its end. They have no order. */
interface Minute {
  /** Minutes since 1970. */
  readonly number: number;
  readonly records: StoredRecord[];
}

/** Creates a store in the memory of this process. The records are lost when the process ends. */
export function memoryStore(): Store {
  const kinds = new Map<string, Map<string, StoredRecord>>();
  const minutes = new Map<number, Minute>();
  // The latest minute comes first, because a new minute is usually late and the sweep takes the earliest from the end.
  const order: Minute[] = [];
  let versions = 0;
  let puts = 0;
  let closed = false;

  function requireOpen(): void {
    if (closed) throw new StoreUnavailable("The store is closed");
  }

  function findMinute(expiresAt: number): Minute {
    const number = Math.ceil(expiresAt / 60);
    const known = minutes.get(number);
    if (known !== undefined) return known;
    const minute: Minute = { number, records: [] };
    minutes.set(number, minute);
    const earlier = order.findIndex((other) => other.number < number);
    order.splice(earlier < 0 ? order.length : earlier, 0, minute);
    return minute;
  }

  function leaveMinute({ minute: { records }, index }: StoredRecord): void {
    const last = records.pop() as StoredRecord;
    if (last.index === index) return;
    records[index] = last;
    last.index = index;
  }

  function remove(record: StoredRecord): void {
    record.siblings.delete(record.id);
    leaveMinute(record);
  }

  function sweep(limit: number, now: number): number {
    const latest = now - sweepDelay;
    let removed = 0;
    for (let earliest = order.at(-1); earliest !== undefined; earliest = order.at(-1)) {
      if (!(latest / 60 > earliest.number - 1)) break;
      const { records } = earliest;
      for (let index = records.length - 1; index >= 0 && removed < limit; index--) {
        const record = records[index] as StoredRecord;
        if (record.expiresAt > latest) continue;
        remove(record);
        removed++;
      }
      if (records.length > 0) break;
      order.pop();
      minutes.delete(earliest.number);
    }
    return removed;
  }

  return {
    // deno-lint-ignore require-await -- async turns a throw into a rejection
    async get<T>(kind: Kind<T>, id: string, now: number): Promise<Entry<T> | undefined> {
      requireOpen();
      const existing = kinds.get(kind.name)?.get(id);
      if (existing === undefined || !(existing.expiresAt > now)) return undefined;
      return {
        value: JSON.parse(existing.text) as T,
        version: existing.version,
        expiresAt: existing.expiresAt,
      };
    },

    // deno-lint-ignore require-await -- as above
    async put<T>(kind: Kind<T>, id: string, value: T, terms: PutTerms): Promise<Version | undefined> {
      requireOpen();
      const { expiresAt, now, if: condition } = terms;
      const text = writeValue(value, terms);
      let siblings = kinds.get(kind.name);
      if (siblings === undefined) kinds.set(kind.name, siblings = new Map());
      const existing = siblings.get(id);
      if (condition !== undefined) {
        const current = existing !== undefined && existing.expiresAt > now ? existing.version : null;
        if (current !== condition) return undefined;
      }
      // One counter for all ids, so that a record that is deleted and created again never gets an old version.
      const version = String(++versions);
      const minute = existing !== undefined && existing.expiresAt === expiresAt
        ? existing.minute
        : findMinute(expiresAt);
      if (existing === undefined) {
        const index = minute.records.length;
        const record: StoredRecord = { siblings, id, text, version, expiresAt, minute, index };
        siblings.set(id, record);
        minute.records.push(record);
      } else {
        existing.text = text;
        existing.version = version;
        existing.expiresAt = expiresAt;
        if (existing.minute !== minute) {
          leaveMinute(existing);
          existing.minute = minute;
          existing.index = minute.records.push(existing) - 1;
        }
      }
      // Sweeps whole minutes only, because searching an unfinished minute again and again would be slow.
      if (++puts % sweepEvery === 0) sweep(sweepLimit, Math.floor(now / 60) * 60);
      return version;
    },

    // deno-lint-ignore require-await -- as above
    async delete(kind: Kind<unknown>, id: string): Promise<void> {
      requireOpen();
      const existing = kinds.get(kind.name)?.get(id);
      if (existing !== undefined) remove(existing);
    },

    // deno-lint-ignore require-await -- as above
    async sweep(limit: number, now: number): Promise<number> {
      requireOpen();
      return sweep(limit, now);
    },

    async *list<T>(kind: Kind<T>): AsyncIterable<Entry<T> & { readonly id: string }> {
      requireOpen();
      // A copy, because the reader may write while it reads.
      for (const { id, text, version, expiresAt } of [...kinds.get(kind.name)?.values() ?? []]) {
        yield { id, value: JSON.parse(text) as T, version, expiresAt };
      }
    },

    async *kinds(): AsyncIterable<string> {
      requireOpen();
      // A copy, because the reader may write while it reads.
      yield* [...kinds].flatMap(([name, { size }]) => size === 0 ? [] : [name]);
    },

    // deno-lint-ignore require-await -- as above
    async close(): Promise<void> {
      closed = true;
      kinds.clear();
      minutes.clear();
      order.length = 0;
    },
  };
}
