/** A store in the memory of this process. It packs values, and they behave as JSON text does in the other stores. */
// deno-lint-ignore-file require-await -- async turns a throw into a rejection
import {
  type Entry,
  type Kind,
  type PutTerms,
  requirePut,
  type Store,
  StoreUnavailable,
  sweepDelay,
  sweepEvery,
  sweepLimit,
  type Version,
} from "./store.ts";
import { createPacker, type PackedValue, type Packer } from "./packed_value.ts";
import { plainPacker } from "./plain_packer.ts";
import { remember } from "../../ground/values/remember.ts";

/** The records of one kind. */
interface Siblings {
  readonly records: Map<string, StoredRecord>;
  packer: Packer;
}

// The structures that a packer learns take more memory than so few records save.
const mostPlain = 8;

interface StoredRecord extends PackedValue {
  readonly siblings: Siblings;
  readonly id: string;
  shape: PackedValue["shape"];
  leaves: string;
  /** A number takes less memory than its text. */
  version: number;
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

type Memory = ReturnType<typeof createMemory>;

function createMemory() {
  return {
    kinds: new Map<string, Siblings>(),
    minutes: new Map<number, Minute>(),
    // The latest minute comes first, because a new minute is usually late and the sweep takes the earliest from the end.
    order: [] as Minute[],
    versions: 0,
    puts: 0,
    isClosed: false,
  };
}

/** Creates a store in the memory of this process. The records are lost when the process ends. */
export function memoryStore(): Store {
  const memory = createMemory();
  return {
    async get(kind, id, now) {
      const existing = find(kind, id, memory);
      return existing !== undefined && existing.expiresAt > now ? read(existing) : undefined;
    },
    async put(kind, id, value, terms) {
      return put(kind, id, value, terms, memory);
    },
    async delete(kind, id) {
      const existing = find(kind, id, memory);
      if (existing !== undefined) remove(existing);
    },
    async sweep(limit, now) {
      return sweep(limit, now, requireOpen(memory));
    },
    async *list(kind) {
      // A copy, because the reader may write while it reads.
      for (const record of [...requireOpen(memory).kinds.get(kind.name)?.records.values() ?? []]) {
        yield { id: record.id, ...read(record) };
      }
    },
    async *kinds() {
      // A copy, because the reader may write while it reads.
      yield* [...requireOpen(memory).kinds].flatMap(([name, { records }]) =>
        records.size === 0 ? [] : [name]
      );
    },
    async close() {
      memory.isClosed = true;
      memory.kinds.clear();
      memory.minutes.clear();
      memory.order.length = 0;
    },
  };
}

function requireOpen(memory: Memory): Memory {
  if (memory.isClosed) throw new StoreUnavailable("The store is closed");
  return memory;
}

function find({ name }: Kind<unknown>, id: string, memory: Memory): StoredRecord | undefined {
  return requireOpen(memory).kinds.get(name)?.records.get(id);
}

function read<T>(record: StoredRecord): Entry<T> {
  const { siblings: { packer }, version, expiresAt } = record;
  return { value: packer.unpack(record) as T, version: String(version), expiresAt };
}

function put<T>(
  kind: Kind<T>,
  id: string,
  value: T,
  terms: PutTerms,
  memory: Memory,
): Version | undefined {
  const { expiresAt, now, if: condition } = terms;
  const existing = find(kind, id, memory);
  const siblings = remember(memory.kinds, kind.name, () => ({ records: new Map(), packer: plainPacker }));
  if (siblings.packer === plainPacker && siblings.records.size >= mostPlain) siblings.packer = createPacker();
  const packed = requirePut(siblings.packer.pack(value), terms);
  if (condition !== undefined) {
    const current = existing !== undefined && existing.expiresAt > now ? String(existing.version) : null;
    if (current !== condition) {
      siblings.packer.release(packed);
      return undefined;
    }
  }
  // One counter for all ids, so that a record that is deleted and created again never gets an old version.
  const version = ++memory.versions;
  if (existing === undefined) addRecord({ siblings, id, ...packed, version, expiresAt }, memory);
  else replace(existing, packed, version, expiresAt, memory);
  // Sweeps whole minutes only, because searching an unfinished minute again and again would be slow.
  if (++memory.puts % sweepEvery === 0) sweep(sweepLimit, Math.floor(now / 60) * 60, memory);
  return String(version);
}

function addRecord(
  { siblings, id, shape, leaves, version, expiresAt }: Omit<StoredRecord, "minute" | "index">,
  memory: Memory,
): void {
  const minute = findMinute(expiresAt, memory);
  const index = minute.records.length;
  const record: StoredRecord = { siblings, id, shape, leaves, version, expiresAt, minute, index };
  siblings.records.set(id, record);
  minute.records.push(record);
}

function replace(
  existing: StoredRecord,
  { shape, leaves }: PackedValue,
  version: number,
  expiresAt: number,
  memory: Memory,
): void {
  const minute = existing.expiresAt === expiresAt ? existing.minute : findMinute(expiresAt, memory);
  existing.siblings.packer.release(existing);
  existing.shape = shape;
  existing.leaves = leaves;
  existing.version = version;
  existing.expiresAt = expiresAt;
  if (existing.minute === minute) return;
  leaveMinute(existing);
  existing.minute = minute;
  existing.index = minute.records.push(existing) - 1;
}

function findMinute(expiresAt: number, { minutes, order }: Memory): Minute {
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
  record.siblings.records.delete(record.id);
  record.siblings.packer.release(record);
  leaveMinute(record);
}

/** Returns how many records it has removed. */
function sweep(limit: number, now: number, { minutes, order }: Memory): number {
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
