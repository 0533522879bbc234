/** A store in the IndexedDB of a browser, for pages and workers. One transaction checks the condition of a put and writes. */
/// <reference lib="dom" />

import { createVersions, listRows, readName, readRow, type Row, writeName } from "./sql.ts";
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

interface StoredRow extends Row {
  readonly kind: string;
}

const table = "record";
const byEnd = "expires";
const schemaVersion = 1;

/**
 * Opens the database with this name, or creates it. All pages and workers of the origin share it. A browser may refuse it,
 * or remove it with the other data of the site.
 */
export async function indexedDbStore(name: string): Promise<Store> {
  let connection = await connect(name);
  const createVersion = createVersions();
  const running = new Set<Promise<unknown>>();
  let puts = 0;
  let closed = false;

  /** The browser has closed the connection, for example with the data of the site. The next call opens it again. */
  async function reconnect(): Promise<IDBDatabase> {
    connection = await connect(name);
    return connection.database;
  }

  /** Runs the work in a transaction, whose requests it makes at once. Resolves when the browser has written it. */
  async function run<T>(mode: IDBTransactionMode, work: (records: IDBObjectStore) => Work<T>): Promise<T> {
    if (closed) throw new StoreUnavailable("The store is closed");
    const working = connection.isLost
      ? reconnect().then((database) => transact(database, mode, work))
      : transact(connection.database, mode, work);
    running.add(working);
    try {
      return await working;
    } finally {
      running.delete(working);
    }
  }

  return {
    async get<T>(kind: Kind<T>, id: string, now: number): Promise<Entry<T> | undefined> {
      const row = await run(
        "readonly",
        (records) => fromRequest<Row | undefined>(records.get(keyOf(kind, id))),
      );
      return row !== undefined && row.expires > now ? readRow<T>(row) : undefined;
    },

    async put<T>(kind: Kind<T>, id: string, value: T, terms: PutTerms): Promise<Version | undefined> {
      const row: StoredRow = {
        kind: writeName(kind.name),
        id: writeName(id),
        value: writeValue(value, terms),
        version: createVersion(),
        expires: terms.expiresAt,
      };
      const sweeps = ++puts % sweepEvery === 0;
      return await run("readwrite", (records) => {
        const writing = putRow(records, row, terms);
        if (sweeps) removeExpired(records, sweepLimit, terms.now);
        return writing;
      });
    },

    delete: (kind, id) => run("readwrite", (records) => fromRequest(records.delete(keyOf(kind, id)))),

    sweep: (limit, now) => run("readwrite", (records) => removeExpired(records, limit, now)),

    list: <T>({ name }: Kind<T>) =>
      listRows<T>((first, size) => {
        const kind = writeName(name);
        // A list is after every text (Indexed Database API §2.4).
        return run("readonly", (records) =>
          fromRequest<Row[]>(records.getAll(IDBKeyRange.bound([kind, first], [kind, []]), size)));
      }),

    async *kinds(): AsyncIterable<string> {
      yield* (await run("readonly", readKinds)).map(readName);
    },

    async close(): Promise<void> {
      closed = true;
      await Promise.allSettled(running);
      connection.database.close();
    },
  };
}

/** Returns the result of a transaction when it is complete. */
type Work<T> = () => T;

function keyOf({ name }: Kind<unknown>, id: string): [string, string] {
  return [writeName(name), writeName(id)];
}

function fromRequest<T>(request: IDBRequest<T>): Work<T> {
  return () => request.result;
}

function putRow(
  records: IDBObjectStore,
  row: StoredRow,
  { now, if: condition }: PutTerms,
): Work<Version | undefined> {
  let written: Version | undefined = row.version;
  if (condition === undefined) records.put(row);
  else {
    const reading: IDBRequest<StoredRow | undefined> = records.get([row.kind, row.id]);
    reading.onsuccess = () => {
      const existing = reading.result;
      const current = existing !== undefined && existing.expires > now ? existing.version : null;
      if (current === condition) records.put(row);
      else written = undefined;
    };
  }
  return () => written;
}

function removeExpired(records: IDBObjectStore, limit: number, now: number): Work<number> {
  let removed = 0;
  // A range has no NaN.
  if (limit > 0 && !Number.isNaN(now)) {
    const reading = records.index(byEnd).openCursor(IDBKeyRange.upperBound(now - sweepDelay));
    reading.onsuccess = () => {
      const cursor = reading.result;
      if (cursor === null) return;
      cursor.delete();
      if (++removed < limit) cursor.continue();
    };
  }
  return () => removed;
}

function readKinds(records: IDBObjectStore): Work<readonly string[]> {
  const kinds: string[] = [];
  const reading = records.openKeyCursor();
  reading.onsuccess = () => {
    const cursor = reading.result;
    if (cursor === null) return;
    const [kind] = cursor.key as [string, string];
    kinds.push(kind);
    cursor.continue([kind, []]);
  };
  return () => kinds;
}

async function transact<T>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (records: IDBObjectStore) => Work<T>,
): Promise<T> {
  const closing = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(table, mode);
      const result = work(transaction.objectStore(table));
      transaction.oncomplete = () => resolve(result());
      transaction.onabort = () => reject(transaction.error);
      // Chromium may close the database without an end of its running transactions.
      const refuse = () => reject(new Error("the browser has closed it, maybe with the data of this site"));
      database.addEventListener("close", refuse, closing);
    });
  } catch (error) {
    throw unavailable("The store cannot be used", error);
  } finally {
    closing.abort();
  }
}

interface Connection {
  readonly database: IDBDatabase;
  isLost: boolean;
}

function connect(name: string): Promise<Connection> {
  const doing = `Cannot open the store ${JSON.stringify(name)}`;
  return new Promise((resolve, reject) => {
    const { indexedDB } = globalThis as { readonly indexedDB?: IDBFactory };
    if (indexedDB === undefined) return reject(new StoreUnavailable(`${doing}: there is no IndexedDB here`));
    const opening = open(indexedDB, name, doing);
    opening.onupgradeneeded = () => {
      const records = opening.result.createObjectStore(table, { keyPath: ["kind", "id"] });
      records.createIndex(byEnd, "expires");
    };
    opening.onsuccess = () => resolve(watch(opening.result));
    opening.onerror = () => reject(unavailable(doing, opening.error));
  });
}

function open(factory: IDBFactory, name: string, doing: string): IDBOpenDBRequest {
  try {
    return factory.open(name, schemaVersion);
  } catch (error) {
    throw unavailable(doing, error);
  }
}

/** Lets go of the database when another release changes it, or when a person deletes it. */
function watch(database: IDBDatabase): Connection {
  const connection: Connection = { database, isLost: false };
  database.onclose = () => connection.isLost = true;
  database.onversionchange = () => {
    connection.isLost = true;
    database.close();
  };
  return connection;
}

const reasons: Readonly<Record<string, string>> = {
  QuotaExceededError: "the storage of this site is full. Delete data of the site, or free space on the disk",
  VersionError: "a later release wrote it. Use that release, or a later one",
  SecurityError: "the browser refuses storage to this site. Allow it to keep data",
};

function unavailable(doing: string, cause: unknown): StoreUnavailable {
  const { name, message } = (cause ?? {}) as Partial<Error>;
  const reason = reasons[name ?? ""] ?? (message || "the browser does not say why");
  return new StoreUnavailable(`${doing}: ${reason}`, { cause });
}
