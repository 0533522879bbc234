/** The SQLite store: the contract, locked files, shared transactions, and files that it must refuse. */
import { assert, assertEquals, assertExists, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { sqliteStore, type SqliteStoreOptions } from "../../../../src/server/store/sqlite.ts";
import { type Kind, type Store, StoreUnavailable } from "../../../../src/server/store/store.ts";
import { quoteWord } from "../../../../src/ground/values/quote_word.ts";
import { test } from "../../../runner.ts";
import { storeContract } from "../../../../src/server/store/contract.ts";

const note: Kind<unknown> = { name: "note" };
const now = 1_000_000;
const terms = { now, expiresAt: now + 60 };

const sqlite = await import("node:sqlite").catch(() => undefined);
type TestFunction = (name: string, fn: () => Promise<void>) => void;

const testWithSqlite: TestFunction = sqlite === undefined
  ? (name) => test.skip(name, "this runtime has no node:sqlite")
  : test;
const testWithoutSqlite: TestFunction = sqlite !== undefined
  ? (name) => test.skip(name, "this runtime has node:sqlite")
  : test;

testWithoutSqlite("sqlite store: without node:sqlite, the error says what to do instead", async () => {
  const error = await assertRejects(() => sqliteStore("never.db"), TypeError, "Node 22.13");
  assertMatch(error.message, /"never\.db".*Deno.*Bun.*memoryStore\(\)/);
  assertExists(error.cause);
});

storeContract("sqlite store", async () => {
  const folder = await mkdtemp(join(tmpdir(), "postern-"));
  const file = join(folder, "store.db");
  return {
    store: await sqliteStore(file),
    openAgain: () => sqliteStore(file),
    discard: () => rm(folder, { recursive: true }),
  };
}, { test: testWithSqlite });

interface TestFolder {
  readonly folder: string;
  readonly file: string;
  open(options?: SqliteStoreOptions): Promise<Store>;
  /** Another connection to the same file. */
  connect(): DatabaseSync;
}

/** A test with a folder of its own. Stores and connections are closed afterwards, and the folder is removed. */
function it(behaviour: string, body: (folder: TestFolder) => Promise<void>): void {
  testWithSqlite(`sqlite store: ${behaviour}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    const file = join(folder, "store.db");
    const stores: Store[] = [];
    const connections: DatabaseSync[] = [];
    try {
      await body({
        folder,
        file,
        async open(options) {
          const store = await sqliteStore(file, options);
          stores.push(store);
          return store;
        },
        connect() {
          const connection = new sqlite!.DatabaseSync(file);
          connections.push(connection);
          return connection;
        },
      });
    } finally {
      for (const connection of connections) connection.close();
      await Promise.all(stores.map((store) => store.close()));
      await rm(folder, { recursive: true });
    }
  });
}

it("records survive closing and opening", async ({ open, folder }) => {
  const first = await open();
  const version = await first.put(note, "a", { text: "kept" }, terms) as string;
  await first.close();
  assertEquals(await readdir(folder), ["store.db"], "closing leaves one file");
  const second = await open();
  assertEquals(await second.get(note, "a", now), { value: { text: "kept" }, version, expiresAt: now + 60 });
  assertNotEquals(await second.put(note, "b", 1, terms), version);
  assertExists(await second.put(note, "a", 2, { ...terms, if: version }));
});

it("an acknowledged put survives an immediate crash", async ({ open, file, folder }) => {
  const store = await open();
  await Promise.all(upTo(10).map((value) => store.put(note, `${value}`, value, terms)));
  await store.delete(note, "3");
  // A killed process leaves the files as they are now.
  for (const end of ["", "-wal"]) await copyFile(file + end, join(folder, "crashed.db") + end);
  const crashed = await sqliteStore(join(folder, "crashed.db"));
  try {
    for (const value of upTo(10)) {
      assertEquals((await crashed.get(note, `${value}`, now))?.value, value === 3 ? undefined : value);
    }
  } finally {
    await crashed.close();
  }
});

it("only the owner may read the files", async ({ open, folder }) => {
  const store = await open();
  await store.put(note, "a", 1, terms);
  const files = await readdir(folder);
  assertEquals(files.sort(), ["store.db", "store.db-shm", "store.db-wal"]);
  for (const file of files) assertEquals((await stat(join(folder, file))).mode & 0o077, 0, file);
});

for (const [ending, mode] of [["", 0o666], ["", 0o602], ["-wal", 0o646]] as const) {
  it(`a file that every user can write is refused: store.db${ending}, mode ${mode.toString(8)}`, async ({ open, file }) => {
    await (await open()).put(note, "a", 1, terms);
    await chmod(file + ending, mode);
    const written = `its mode is 0${mode.toString(8)}: run chmod 600 ${quoteWord(file + ending, "posix")}`;
    const error = await assertRejects(() => open(), TypeError, "every user of this machine can write it");
    assert(error.message.endsWith(written), error.message);
    await chmod(file + ending, 0o600);
    assertEquals((await (await open()).get(note, "a", now))?.value, 1);
  });
}

for (const mode of [0o644, 0o640, 0o660, 0o604]) {
  it(`a file that others can read causes a warning: mode ${mode.toString(8)}`, async ({ open, file }) => {
    const warnings: string[] = [];
    const warn = (problem: string) => void warnings.push(problem);
    await (await open({ warn })).close();
    assertEquals(warnings, []);
    await chmod(file, mode);
    await open({ warn });
    assertEquals(warnings, [
      `The store "${file}" is open to other users of this machine, with its private keys; ` +
      `its mode is 0${mode.toString(8)}: run chmod 600 ${quoteWord(file, "posix")}`,
    ]);
  });
}

it("a schema of a later release is refused and stays unchanged", async ({ open, file, connect }) => {
  await (await open()).close();
  const connection = connect();
  const versionOf = () => connection.prepare("PRAGMA user_version").get()?.["user_version"];
  assertEquals(versionOf(), 1);
  connection.exec("PRAGMA user_version = 2");
  const error = await assertRejects(() => open(), TypeError);
  assertEquals(
    error.message,
    `Cannot open the store "${file}": its schema has version 2, and this release knows versions up to 1: ` +
      "use the release that wrote it, or a later one",
  );
  assertEquals(versionOf(), 2);
});

it("a schema without a version is accepted", async ({ open, connect }) => {
  const store = await open();
  await store.put(note, "a", 1, terms);
  await store.close();
  connect().exec("PRAGMA user_version = 0");
  assertEquals((await (await open()).get(note, "a", now))?.value, 1);
});

it("the puts and deletes of one turn share one transaction", async ({ open, file }) => {
  const store = await open();
  await store.put(note, "a", 1, terms);
  const before = await countCommits(file);
  const results = await Promise.all([
    ...upTo(16).map((value) => store.put(note, "b", value, { ...terms, if: null })),
    store.delete(note, "a"),
  ]);
  assertEquals(await countCommits(file), before + 1);
  assertEquals(results.map((result) => result !== undefined), [true, ...upTo(16).map(() => false)]);
  for (const value of upTo(3)) await store.put(note, "c", value, terms);
  assertEquals(await countCommits(file), before + 4, "puts of three turns are three transactions");
});

it("a put waits for a lock and leaves the event loop free", async ({ open, connect }) => {
  const store = await open();
  const other = connect();
  other.exec("BEGIN IMMEDIATE");
  let ticks = 0, isLocked = true;
  // The thirtieth tick releases the lock, so a store that blocks the event loop would wait for itself.
  const ticking = setInterval(() => {
    if (++ticks !== 30) return;
    other.exec("COMMIT");
    isLocked = false;
  }, 10);
  try {
    const putting = Promise.all(
      upTo(50).map((value) => store.put(note, "a", value, { ...terms, if: null })),
    );
    assertEquals(await store.get(note, "a", now), undefined);
    assert(isLocked, "a read does not wait for the lock");
    const results = await putting;
    assert(!isLocked, "a put waits for the lock");
    assertEquals(results.filter((version) => version !== undefined).length, 1);
  } finally {
    clearInterval(ticking);
  }
});

it("a lock that stays makes the store unavailable, and the store writes nothing", async ({ open, connect }) => {
  const store = await open({ lockWait: 0.3 });
  await store.put(note, "kept", 1, terms);
  const other = connect();
  other.exec("BEGIN IMMEDIATE");
  const writes = [
    ...upTo(16).map((value) => store.put(note, `${value}`, value, terms)),
    store.delete(note, "kept"),
    store.sweep!(10, now + 99),
  ];
  const results = await Promise.allSettled(writes);
  for (const result of results) {
    assert(result.status === "rejected");
    assert(result.reason instanceof StoreUnavailable);
    assertEquals((result.reason.cause as { errcode?: unknown }).errcode, 5);
    assert(!/database|SQL/i.test(result.reason.message), "no text from SQLite");
  }
  other.exec("ROLLBACK");
  assertEquals((await store.get(note, "kept", now))?.value, 1);
  for (const value of upTo(16)) assertEquals(await store.get(note, `${value}`, now), undefined);
  assertExists(await store.put(note, "0", 1, { ...terms, if: null }), "the store works again");
});

it("closing while a lock stays ends, and settles every put", async ({ open, connect }) => {
  const store = await open({ lockWait: 0.1 });
  connect().exec("BEGIN IMMEDIATE");
  const putting = store.put(note, "a", 1, terms);
  await Promise.all([store.close(), assertRejects(() => putting, StoreUnavailable)]);
});

it("opening waits for a lock until its time limit", async ({ open, connect, file }) => {
  const other = connect();
  other.exec("BEGIN EXCLUSIVE");
  const refused = await assertRejects(() => open({ lockWait: 0.1 }), StoreUnavailable, "stays locked");
  assert(refused.message.includes(file));
  // Real time, because nothing tells that the store has met the lock.
  setTimeout(() => other.exec("COMMIT"), 100);
  const store = await open({ lockWait: 5 });
  assertExists(await store.put(note, "a", 1, terms));
});

it("several stores can create the file at the same time", async ({ open }) => {
  const stores = await Promise.all(upTo(8).map(() => open()));
  const puts = stores.map((store, value) => store.put(note, "a", value, { ...terms, if: null }));
  assertEquals((await Promise.all(puts)).filter((version) => version !== undefined).length, 1);
});

it("a failing put does not affect others in its transaction", async ({ open, connect, file }) => {
  const store = await open();
  const other = connect();
  other.exec(`CREATE TRIGGER refuse BEFORE INSERT ON record WHEN NEW.id = 'bad'
    BEGIN SELECT RAISE(ROLLBACK, 'refused'); END`);
  await assertOneFails(store);
  other.exec("DROP TRIGGER refuse");
  other.exec("CREATE TABLE parent (id TEXT PRIMARY KEY)");
  other.exec("CREATE TABLE child (id TEXT REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
  // This put fails at COMMIT.
  other.exec(`CREATE TRIGGER refuse AFTER INSERT ON record WHEN NEW.id = 'bad'
    BEGIN INSERT INTO child VALUES ('orphan'); END`);
  await assertOneFails(store);
  const before = await countCommits(file);
  await Promise.all(upTo(16).map((value) => store.put(note, `${value}`, value, terms)));
  assertEquals(await countCommits(file), before + 1, "later puts share a transaction again");
});

async function assertOneFails(store: Store): Promise<void> {
  const ids = ["first", "bad", "last"];
  const results = await Promise.allSettled(ids.map((id) => store.put(note, id, id, terms)));
  assertEquals(results.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  for (const [index, id] of ids.entries()) {
    const version = (await store.get(note, id, now))?.version;
    const result = results[index]!;
    assertEquals(version, result.status === "fulfilled" ? result.value : undefined);
    await store.delete(note, id);
  }
}

it("puts sweep expired records", async ({ open, connect }) => {
  const store = await open();
  await Promise.all(
    upTo(250).map((value) => store.put(note, `${value}`, value, { now, expiresAt: now + 10 })),
  );
  const stored = () => Number(connect().prepare("SELECT count(*) AS n FROM record").get()?.["n"]);
  assertEquals(stored(), 250);
  const later = { now: now + 3610, expiresAt: now + 3620 };
  for (const _ of upTo(3)) {
    await Promise.all(upTo(100).map((value) => store.put(note, `new ${value}`, 1, later)));
  }
  assertEquals(stored(), 100);
});

it("a file that is not its own is refused, and the error names it", async ({ open, connect, file, folder }) => {
  await writeFile(file, "This was never a database, and it shall not become one. ".repeat(100));
  const foreign = await assertRejects(() => open(), TypeError, "not an SQLite database");
  assert(foreign.message.includes(`"${file}"`));
  assertMatch(await readFile(file, "utf8"), /^This was never/);

  await rm(file);
  connect().exec("CREATE TABLE record (title TEXT, artist TEXT)");
  const shaped = await assertRejects(() => open(), TypeError, 'its table "record"');
  assert(shaped.message.includes(`"${file}"`));

  for (const path of [join(folder, "missing", "store.db"), join(file, "store.db"), folder]) {
    const error = await assertRejects(() => sqliteStore(path), TypeError, "Cannot open the store");
    assert(error.message.includes(`"${path}"`));
  }
  for (const path of [":memory:", ""]) {
    await assertRejects(() => sqliteStore(path), TypeError, "memoryStore()");
  }
});

/** Counts the frames of the log that end a transaction: https://sqlite.org/walformat.html */
async function countCommits(file: string): Promise<number> {
  const log = await readFile(`${file}-wal`);
  const frameSize = 24 + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let at = 32; at + frameSize <= log.length; at += frameSize) {
    const current = log.subarray(at + 8, at + 16).equals(salt);
    if (current && log.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
