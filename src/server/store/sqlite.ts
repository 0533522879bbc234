/** A store in an SQLite file, with `node:sqlite`. Writes in one turn of the event loop share a transaction. */
import { closeSync, openSync } from "node:fs";
import { stat } from "node:fs/promises";
import { platform } from "node:os";
import { resolve } from "node:path";
import {
  createVersions,
  describeLaterSchema,
  type Dialect,
  listRows,
  preparePut,
  readName,
  readRow,
  type Row,
  schemaVersion,
  type StatementName,
  writeName,
  writeStatements,
  writeTable,
} from "./sql.ts";
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
} from "./store.ts";
import { quoteWord } from "../../ground/values/quote_word.ts";
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Options of a store in a file. */
export interface SqliteStoreOptions {
  /** How many seconds a read or a write waits while another process locks the file. Default: 5. */
  readonly lockWait?: number;
  /** Called when other users of the machine can read the file; `postern start` prints the text. */
  readonly warn?: (problem: string) => void;
}

/** A write in the queue. It settles when its transaction is committed. */
interface Write {
  readonly run: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly queuedAt: number;
}

const dialect: Dialect = { table: "record", nameType: "TEXT", whileSweeping: "" };
const transactionLimit = 256;
const longestPause = 0.025;
const tableShape = "kind 1, id 2, version 0, expires_at 0, value 0";

// https://sqlite.org/rescode.html
const lockedCodes: ReadonlySet<number> = new Set([5, 6, 15]); // BUSY, LOCKED, PROTOCOL
const brokenCodes: ReadonlySet<number> = new Set([3, 7, 8, 10, 13, 14]); // PERM, NOMEM, READONLY, IOERR, FULL, CANTOPEN
const notDatabaseCode = 26;

/**
 * Opens the file, or creates it so that only its owner can read it. A `get` sees every put that has resolved. It may or
 * may not see a put that is still running.
 */
export async function sqliteStore(file: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const { lockWait = 5, warn = () => {} } = options;
  const database = await openDatabase(file, warn);
  try {
    await whileLocked(() => prepareTable(database, file), lockWait);
    return await whileLocked(() => createStore(database, lockWait), lockWait);
  } catch (error) {
    database.close();
    throw describeOpening(error, file);
  }
}

function createStore(database: DatabaseSync, lockWait: number): Store {
  const prepared = Object.fromEntries(
    Object.entries(writeStatements(dialect)).map(([name, sql]) => [name, database.prepare(sql)]),
  ) as Readonly<Record<StatementName, StatementSync>>;
  const queue = createWriteQueue(database, lockWait);
  const createVersion = createVersions();
  let putCount = 0;
  let closing: Promise<void> | undefined;

  function requireOpen(): void {
    if (closing !== undefined) throw new StoreUnavailable("The store is closed");
  }

  async function query<T>(run: () => T): Promise<T> {
    return await whileLocked(() => {
      requireOpen();
      return run();
    }, lockWait);
  }

  function enqueue<T>(run: () => T): Promise<T> {
    requireOpen();
    return queue.add(run);
  }

  function sweep(limit: number, now: number): number {
    const latest = now - sweepDelay;
    // SQLite reads a negative limit as no limit.
    return Number(prepared.removeExpired.run(latest, Math.max(0, limit), latest).changes);
  }

  return {
    async get<T>(kind: Kind<T>, id: string, now: number): Promise<Entry<T> | undefined> {
      const row = await query(() => prepared.read.get(writeName(kind.name), writeName(id), now));
      return row === undefined ? undefined : readRow<T>(row as unknown as Row);
    },

    async put<T>(kind: Kind<T>, id: string, value: T, terms: PutTerms): Promise<Version | undefined> {
      const version = createVersion();
      const { statement, parameters } = preparePut(kind, id, value, terms)(version);
      const { now } = terms;
      return await enqueue(() => {
        const row = prepared[statement].get(...parameters);
        if (++putCount % sweepEvery === 0) sweep(sweepLimit, now);
        return row === undefined ? undefined : version;
      });
    },

    async delete(kind: Kind<unknown>, id: string): Promise<void> {
      await enqueue(() => prepared.remove.run(writeName(kind.name), writeName(id)));
    },

    async sweep(limit: number, now: number): Promise<number> {
      return await enqueue(() => sweep(limit, now));
    },

    // Reads page by page, because an open cursor would keep its snapshot and a write during the list would fail.
    list: <T>({ name }: Kind<T>) =>
      listRows<T>((first, size) =>
        query(() => prepared.page.all(writeName(name), first, size) as unknown as readonly Row[])
      ),

    async *kinds(): AsyncIterable<string> {
      const rows = await query(() => prepared.kinds.all() as unknown as readonly { readonly kind: string }[]);
      yield* rows.map(({ kind }) => readName(kind));
    },

    close(): Promise<void> {
      return closing ??= queue.drain().then(() => database.close());
    },
  };
}

function createWriteQueue(database: DatabaseSync, lockWait: number) {
  const transact = createTransactions(database);
  let queue: Write[] = [];
  let pause = 0;
  /** This many writes at the head of the queue get a transaction each. */
  let alone = 0;

  /** Resolves when the transaction of the write is committed. */
  function add<T>(run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      queue.push({ run, resolve: resolve as Write["resolve"], reject, queuedAt: secondsNow() });
      if (queue.length === 1) setImmediate(flush);
    });
  }

  function flush(): void {
    const batch = queue.slice(0, alone > 0 ? 1 : transactionLimit);
    try {
      const results = transact(() => batch.map(({ run }) => run()));
      queue = queue.slice(batch.length);
      batch.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      if (isLocked(error)) return waitForLock(error);
      if (batch.length > 1 && !isBroken(error)) {
        // One of the writes failed, so each write of the batch is repeated in its own transaction.
        alone = batch.length;
        return flush();
      }
      queue = queue.slice(batch.length);
      for (const { reject } of batch) reject(asStoreError(error));
    }
    pause = 0;
    alone = Math.max(0, alone - 1);
    if (queue.length > 0) setImmediate(flush);
  }

  function waitForLock(error: unknown): void {
    const oldest = secondsNow() - lockWait;
    const late = queue.filter(({ queuedAt }) => queuedAt <= oldest);
    queue = queue.slice(late.length);
    for (const { reject } of late) reject(asStoreError(error));
    if (queue.length === 0) return;
    pause = longerPause(pause);
    setTimeout(flush, pause * 1000);
  }

  return {
    add,
    /** Resolves when all writes have settled: the queue keeps its order. */
    drain: async () => queue.length === 0 ? undefined : await add(() => {}).catch(() => {}),
  };
}

async function openDatabase(file: string, warn: (problem: string) => void): Promise<DatabaseSync> {
  if (file === "" || file === ":memory:") {
    throw cannotOpen(file, "it is not a file; use memoryStore() instead");
  }
  const { DatabaseSync } = await import("node:sqlite").catch((cause) => {
    const needed = "SQLite needs Node 22.13 or later, Deno, or Bun; without them, use memoryStore()";
    throw cannotOpen(file, needed, cause);
  });
  // An absolute path is never read as a URI.
  const path = resolve(file);
  try {
    // SQLite gives its other files the mode of this file. Only a new file is opened here, because closing a descriptor
    // of an existing file would release the locks that this process holds on the file.
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") {
      throw cannotOpen(file, (error as Error).message, error);
    }
  }
  await requirePrivate(path, file, warn);
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw describeOpening(error, file);
  }
}

/** Protects the private keys in the files: refuses files that every user can write, and warns if others can read. */
async function requirePrivate(path: string, file: string, warn: (problem: string) => void): Promise<void> {
  // Windows has no modes.
  if (platform() === "win32") return;
  for (const ending of ["", "-wal", "-shm"]) {
    const mode = await stat(path + ending).then((found) => found.mode & 0o777, () => 0);
    if ((mode & 0o077) === 0) continue;
    const named = quoteWord(path + ending, "posix");
    const remedy = `its mode is ${mode.toString(8).padStart(4, "0")}: run chmod 600 ${
      named ?? "on this file"
    }`;
    if ((mode & 0o002) !== 0) throw cannotOpen(file, `every user of this machine can write it; ${remedy}`);
    warn(`The store "${file}" is open to other users of this machine, with its private keys; ${remedy}`);
  }
}

/** Creates the table or checks it. A lock may interrupt this at any statement, so it can run again from the start. */
function prepareTable(database: DatabaseSync, file: string): void {
  // Statements instead of `exec`: in Deno an error of `exec` has no code, and waiting for locks needs the code.
  const query = (sql: string) => database.prepare(sql).all();
  query("PRAGMA busy_timeout = 0");
  const version = Number(query("PRAGMA user_version")[0]?.["user_version"]);
  if (version > schemaVersion) throw cannotOpen(file, describeLaterSchema(version));
  query("PRAGMA journal_mode = WAL");
  query("PRAGMA synchronous = FULL");
  const columns = () => query("PRAGMA table_info(record)").map(({ name, pk }) => `${name} ${pk}`).join(", ");
  if (columns() === "") {
    createTransactions(database)(() =>
      [...writeTable(dialect), `PRAGMA user_version = ${schemaVersion}`].forEach(query)
    );
  }
  if (columns() !== tableShape) throw cannotOpen(file, 'its table "record" does not belong to a store');
}

function createTransactions(database: DatabaseSync): <T>(run: () => T) => T {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const rollback = database.prepare("ROLLBACK");
  return (run) => {
    begin.run();
    try {
      const results = run();
      commit.run();
      return results;
    } catch (error) {
      try {
        rollback.run();
      } catch {
        // Some failures have already rolled the transaction back.
      }
      throw error;
    }
  };
}

/** Retries while another process locks the file. Other work can run between the attempts. */
async function whileLocked<T>(run: () => T, lockWait: number): Promise<T> {
  const since = secondsNow();
  for (let pause = longerPause(0);; pause = longerPause(pause)) {
    try {
      return run();
    } catch (error) {
      if (!isLocked(error) || secondsNow() - since >= lockWait) throw asStoreError(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pause * 1000));
  }
}

function longerPause(pause: number): number {
  return Math.min(Math.max(0.001, pause * 2), longestPause);
}

/** Returns the time of a monotonic clock. It is not the time of day, and only measures how long a call waits. */
function secondsNow(): number {
  return performance.now() / 1000;
}

function findCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === "number" ? errcode & 0xff : undefined;
}

function isLocked(error: unknown): boolean {
  return lockedCodes.has(findCode(error) ?? 0);
}

function isBroken(error: unknown): boolean {
  return brokenCodes.has(findCode(error) ?? 0);
}

function asStoreError(error: unknown): unknown {
  if (isLocked(error)) return new StoreUnavailable("The store's file stays locked", { cause: error });
  if (isBroken(error)) return new StoreUnavailable("The store's file cannot be used", { cause: error });
  return error;
}

function describeOpening(error: unknown, file: string): unknown {
  if (error instanceof TypeError) return error;
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  if (isLocked(cause)) {
    return new StoreUnavailable(`Cannot open the store "${file}": it stays locked`, { cause });
  }
  const notDatabase = findCode(cause) === notDatabaseCode;
  return cannotOpen(file, notDatabase ? "it is not an SQLite database" : (cause as Error).message, cause);
}

function cannotOpen(file: string, reason: string, cause?: unknown): TypeError {
  return new TypeError(`Cannot open the store "${file}": ${reason}`, { cause });
}
