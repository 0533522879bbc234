/** The Postgres store: calls that wait at the same time share a statement, and do not suffer from each other. */
import { assertEquals, assertRejects } from "@std/assert";
import { type Kind, postgresStore, type Store } from "../../../src/mod.ts";
import { shareStatements } from "../../../src/server/store/postgres/share_statements.ts";
import { test } from "../../runner.ts";
import { openPostgres, runSql, testWithPostgres } from "../../servers/postgres.ts";
import { startTcpProxy } from "../../servers/tcp_proxy.ts";

const note: Kind<unknown> = { name: "note" };
const now = 1_000_000;
const terms = { now, expiresAt: now + 60 };
const free = { ...terms, if: null };
const ids = Array.from({ length: 16 }, (_, index) => `id ${index}`);
const many = Array.from({ length: 300 }, (_, index) => `many ${index}`);

/** A test with the URL of an empty schema. */
function sharingTest(behaviour: string, body: (url: string) => Promise<void>): void {
  testWithPostgres(`postgres store, shared statements: ${behaviour}`, async () => {
    const { url, discard } = await openPostgres();
    try {
      await body(url);
    } finally {
      await discard();
    }
  });
}

async function withStore(url: string, timeout: number, body: (store: Store) => Promise<void>): Promise<void> {
  const store = await postgresStore(url, { timeout });
  try {
    await body(store);
  } finally {
    await store.close();
  }
}

const create = (store: Store) => Promise.all(ids.map((id) => store.put(note, id, `${id}, new`, free)));
const read = async (store: Store) =>
  (await Promise.all(ids.map((id) => store.get(note, id, now)))).map((entry) => entry?.value);

sharingTest("reads of one record, of none, and of one that has ended stand side by side", async (url) => {
  await withStore(url, 60, async (store) => {
    await store.put(note, "a", "of a", terms);
    await store.put(note, "ended", "gone", { now, expiresAt: now + 1 });
    const reads = [["a", now], ["none", now], ["ended", now + 1], ["a", now], ["ended", now], [
      "a",
      Infinity,
    ]];
    const entries = await Promise.all(reads.map(([id, time]) => store.get(note, `${id}`, Number(time))));
    assertEquals(entries.map((entry) => entry?.value), [
      "of a",
      undefined,
      undefined,
      "of a",
      "gone",
      undefined,
    ]);
  });
});

sharingTest("creations at different times keep to the time of each", async (url) => {
  await withStore(url, 60, async (store) => {
    const put = (id: string, time: number) =>
      store.put(note, id, "second", { now: time, expiresAt: Infinity, if: null });
    const first = ["a", "b", "c", "d"];
    for (const id of first) await store.put(note, id, "first", { now, expiresAt: now + 10 });
    const calls = [["a", 9], ["b", 10], ["c", 9], ["d", 10], ["e", 9], ["f", 10]] as const;
    const versions = await Promise.all(calls.map(([id, time]) => put(id, now + time)));
    assertEquals(versions.map((version) => version !== undefined), [false, true, false, true, true, true]);
    assertEquals((await store.get(note, "d", now + 10))?.expiresAt, Infinity);
  });
});

sharingTest("a record that has ended is not replaced, at the time of each call", async (url) => {
  await withStore(url, 60, async (store) => {
    const versions = await create(store);
    const replaced = await Promise.all(ids.map((id, index) => {
      const time = index % 2 ? terms.expiresAt : terms.expiresAt - 1;
      return store.put(note, id, 1, { now: time, expiresAt: Infinity, if: versions[index]! });
    }));
    assertEquals(
      replaced.map((version) => version !== undefined),
      ids.map((_, index) => index % 2 === 0),
    );
  });
});

/** Statements of a database that answers when the test says so. */
function openFakeDatabase() {
  const statements: { readonly ids: readonly string[]; readonly deadline: number; answer(): void }[] = [];
  const take = (ids: readonly string[], deadline: number) =>
    new Promise<void>((resolve) => statements.push({ ids, deadline, answer: resolve }));
  const share = shareStatements({
    async run(_text, [list], deadline) {
      const records: readonly { readonly id: string; readonly mark: string }[] = JSON.parse(`${list}`);
      await take(records.map(({ id }) => id), deadline);
      return Object.assign(records.map(({ mark }) => ({ mark })), { count: records.length });
    },
    runTogether: () => Promise.reject(new Error("not expected")),
    end: () => Promise.resolve(),
  }, async (_name, [, id], deadline) => {
    await take([`${id}`], deadline);
    return [{}];
  });
  const read = (id: string, deadline = performance.now() + 60_000) =>
    share("read", ["note", id, now], deadline);
  const put = (id: string) =>
    share("putIfFree", ["note", id, crypto.randomUUID(), now + 60, "1", now], performance.now() + 60_000);
  /** Waits for further statements, which come within a moment. */
  const untilSent = async (count: number) => {
    while (statements.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
    return statements.map(({ ids }) => ids);
  };
  return { read, put, statements, untilSent };
}

test("postgres store, shared statements: a call that comes too late is not sent", async () => {
  const { read, statements, untilSent } = openFakeDatabase();
  const late = assertRejects(() => read("late", performance.now() - 1), Error, "there is no answer");
  const inTime = read("in time");
  assertEquals(await untilSent(1), [["in time"]]);
  statements[0]!.answer();
  assertEquals(await inTime, [{}]);
  await late;
});

test("postgres store, shared statements: a statement creates a record once, in the order of the keys", async () => {
  const { put, statements, untilSent } = openFakeDatabase();
  const puts = Promise.all(["b", "a", "b", "c", "a"].map(put));
  assertEquals(await untilSent(2), [["a", "b", "c"], ["a", "b"]]);
  for (const { answer } of statements) answer();
  await puts;
});

test("postgres store, shared statements: a statement has the time of the call with the least", async () => {
  const { read, statements, untilSent } = openFakeDatabase();
  const soonest = performance.now() + 60_000;
  const reads = Promise.all([soonest + 1, soonest, soonest + 2].map((deadline) => read("a", deadline)));
  await untilSent(1);
  assertEquals(statements[0]!.deadline, soonest);
  statements[0]!.answer();
  await reads;
});

test("postgres store, shared statements: while two run the next calls gather, but not for ever", async () => {
  const { read, untilSent, statements } = openFakeDatabase();
  const reads: Promise<unknown>[] = [];
  for (const [index, id] of ["slow", "slower"].entries()) {
    reads.push(read(id));
    await untilSent(index + 1);
  }
  reads.push(read("next"), read("last"));
  assertEquals(await untilSent(3), [["slow"], ["slower"], ["last", "next"]]);
  for (const { answer } of statements) answer();
  await Promise.all(reads);
});

sharingTest("of creations of one record, one wins, and no other record is missing", async (url) => {
  await withStore(url, 60, async (store) => {
    const put = (id: string, value: number) => store.put(note, id, value, free);
    const versions = await Promise.all([put("a", 1), put("a", 2), put("b", 3), put("a", 4), put("c", 5)]);
    assertEquals(versions.map((version) => version !== undefined), [true, false, true, false, true]);
  });
});

sharingTest("a call that the database refuses does not refuse the others", async (url) => {
  const long = Array.from({ length: 300 }, () => crypto.randomUUID()).join("");
  await withStore(url, 60, async (store) => {
    const refused = assertRejects(() => store.put(note, long, 1, free), TypeError, "Cannot put a record");
    const versions = await create(store);
    await refused;
    assertEquals(versions.filter((version) => version === undefined), []);
    assertEquals(await read(store), ids.map((id) => `${id}, new`));
  });
});

sharingTest("a record that another program locks holds up no other record", async (url) => {
  await withStore(url, 10, async (store) => {
    const [locked, ...others] = await Promise.all(many.map((id) => store.put(note, id, 1, free)));
    // The lock ends when the connection does.
    let unlock = () => {};
    const held = new Promise<void>((resolve) => unlock = resolve);
    const lock = holdLock(url, many[0]!, held);
    await lock.isHeld;
    const replace = (id: string, version: string) => store.put(note, id, 2, { ...terms, if: version });
    const waiting = replace(many[0]!, locked!).catch(() => {});
    const replaced = await Promise.all(others.map((version, index) => replace(many[index + 1]!, version!)));
    assertEquals(replaced.filter((version) => version === undefined), []);
    unlock();
    await Promise.all([lock.end, waiting]);
  });
});

/** Locks a record until `held` resolves. */
function holdLock(url: string, id: string, held: Promise<void>) {
  let noteHeld = () => {};
  const isHeld = new Promise<void>((resolve) => noteHeld = resolve);
  const end = withConnection(url, async (sql) => {
    await sql(`BEGIN; SELECT FROM postern_record WHERE id = '${id}' FOR UPDATE`);
    noteHeld();
    await held;
    await sql("ROLLBACK");
  });
  return { isHeld, end };
}

async function withConnection(
  url: string,
  body: (sql: (text: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const { default: postgres } = await import("postgres");
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false });
  try {
    await body(async (text) => await sql.unsafe(text));
  } finally {
    await sql.end();
  }
}

sharingTest("when the answer to many puts is lost, each of them knows that it was written", async (url) => {
  const { port } = new URL(url);
  const proxy = await startTcpProxy(Number(port));
  const behind = `${url.replace(`:${port}`, `:${proxy.port}`)}&pool_size=1`;
  await withStore(behind, 60, async (store) => {
    await create(store);
    await Promise.all(ids.map((id) => store.delete(note, id)));
    const lost = proxy.loseAnswer();
    const versions = await create(store);
    await lost;
    const entries = await Promise.all(ids.map((id) => store.get(note, id, now)));
    assertEquals(entries.map((entry) => entry?.version), versions.map((version) => version!));
  });
  await proxy.close();
});

sharingTest("a put that was given up while it waited is never written", async (url) => {
  const { port } = new URL(url);
  const proxy = await startTcpProxy(Number(port));
  const behind = `${url.replace(`:${port}`, `:${proxy.port}`)}&pool_size=1&connect_timeout=60`;
  await withStore(behind, 0.5, async (store) => {
    proxy.hold();
    const refused = await Promise.allSettled(many.map((id) => store.put(note, id, 1, free)));
    assertEquals(refused.filter(({ status }) => status === "fulfilled"), []);
    proxy.pass();
  });
  await withStore(url, 60, async (store) => {
    const entries = await Promise.all(many.map((id) => store.get(note, id, now)));
    assertEquals(entries.filter((entry) => entry !== undefined), []);
  });
  await proxy.close();
});

sharingTest("a database without these statements gets one for each call", async (url) => {
  const schema = new URL(url).searchParams.get("search_path");
  await runSql(
    url,
    `CREATE FUNCTION json_to_recordset(json) RETURNS SETOF record LANGUAGE plpgsql AS
     $$ BEGIN RAISE undefined_function; END $$`,
  );
  const own = url.replace(`search_path=${schema}`, `search_path=${schema},pg_catalog`);
  await withStore(own, 60, async (store) => {
    assertEquals((await create(store)).filter((version) => version === undefined), []);
    assertEquals(await read(store), ids.map((id) => `${id}, new`));
  });
});
