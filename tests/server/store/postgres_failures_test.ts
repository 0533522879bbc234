/** The Postgres store, when its server does not answer, or loses connections at a bad moment. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createServer, type Socket } from "node:net";
import { type Kind, postgresStore, type Store, StoreUnavailable } from "../../../src/mod.ts";
import { openPostgres, runSql, testWithPostgres } from "../../servers/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../../servers/tcp_proxy.ts";

const note: Kind<unknown> = { name: "note" };
const now = 1_000_000;
const terms = { now, expiresAt: now + 60 };
/** Seconds in which a call gives up. */
const short = 0.5;

interface BehindProxy {
  /** The proxy is between this store and the server. */
  readonly store: Store;
  /** This store has its own way to the server. */
  readonly direct: Store;
  readonly proxy: TcpProxy;
  readonly url: string;
}

/** Repeats a call that a slow machine may not do in time. Its end is that of the test. */
async function untilInTime<T>(call: () => Promise<T>): Promise<T> {
  while (true) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

/** A connection asks the server about a statement when it first uses it. The tests lose a later answer. */
async function useStatements(store: Store): Promise<void> {
  await store.delete(note, "used");
  const created = await store.put(note, "used", 1, { ...terms, if: null });
  await store.put(note, "used", 2, { ...terms, if: created! });
  await store.put(note, "used", 3, terms);
  await store.get(note, "used", now);
  await store.delete(note, "used");
}

function proxyTest(
  behaviour: string,
  timeout: number,
  body: (at: BehindProxy) => Promise<void>,
): void {
  testWithPostgres(`postgres store: ${behaviour}`, async () => {
    const { url, discard } = await openPostgres();
    const { host, port } = new URL(url);
    const proxy = await startTcpProxy(Number(port));
    const direct = await postgresStore(url);
    // One connection, so that the test knows which one it cuts.
    const address = url.replace(host, `127.0.0.1:${proxy.port}`);
    const store = await untilInTime(() => postgresStore(address, { timeout, poolSize: 1 }));
    try {
      await untilInTime(() => useStatements(store));
      await body({ store, direct, proxy, url });
    } finally {
      await Promise.all([store.close(), direct.close()]);
      await proxy.close();
      await discard();
    }
  });
}

proxyTest("a put whose answer is lost reports that it was written", 30, async ({ store, direct, proxy }) => {
  const conditions = ["none", "free", "version"] as const;
  for (const condition of conditions) {
    const before = await direct.put(note, condition, "before", terms);
    if (condition === "free") await direct.delete(note, condition);
    await useStatements(store);
    const lost = proxy.loseAnswer();
    const version = await store.put(note, condition, "after", {
      ...terms,
      ...(condition === "none" ? {} : { if: condition === "free" ? null : before! }),
    });
    await lost;
    assertEquals(await direct.get(note, condition, now), {
      value: "after",
      version: version!,
      expiresAt: now + 60,
    });
  }
});

proxyTest(
  "a put that lost a race, and its answer, reports that it was not written, or that this is unknown",
  30,
  async ({ store, proxy }) => {
    await store.put(note, "a", "first", terms);
    for (const condition of [null, "another version"]) {
      await useStatements(store);
      const lost = proxy.loseAnswer();
      const error = await assertRejects(
        () => store.put(note, "a", "second", { ...terms, if: condition }),
        StoreUnavailable,
      );
      assertMatch(error.message, /it is unknown whether it has changed a record$/);
      await lost;
      assertEquals((await store.get(note, "a", now))?.value, "first");
    }
  },
);

proxyTest(
  "a repeated put does not undo a write that came between",
  30,
  async ({ store, direct, proxy, url }) => {
    const before = await store.put(note, "a", "before", terms);
    // The next statement of the store is written, its answer is lost, and then another process replaces the record. A
    // trigger does that in the moment of the write.
    await runSql(
      url,
      `CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN NEW.value = '"between"'; NEW.version = 'foreign'; RETURN NEW; END $$;
     CREATE TRIGGER interfere BEFORE UPDATE ON postern_record FOR EACH ROW EXECUTE FUNCTION interfere()`,
    );
    for (const condition of [{ if: before! }, {}]) {
      await useStatements(store);
      const lost = proxy.loseAnswer();
      await assertRejects(
        () => store.put(note, "a", "after", { ...terms, ...condition }),
        StoreUnavailable,
        "it is unknown whether",
      );
      await lost;
      assertEquals((await direct.get(note, "a", now))?.value, "between");
    }
  },
);

proxyTest("a put that was not written is repeated over a record that has just expired", 30, async (at) => {
  const { store, direct, proxy, url } = at;
  await direct.put(note, "a", "expired", { now: now - 60, expiresAt: now });
  await useStatements(store);
  await runSql(
    url,
    `CREATE SEQUENCE writes;
     CREATE FUNCTION leave_first() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN IF nextval('writes') = 1 THEN RETURN NULL; END IF; RETURN NEW; END $$;
     CREATE TRIGGER leave BEFORE INSERT ON postern_record FOR EACH ROW EXECUTE FUNCTION leave_first()`,
  );
  const lost = proxy.loseAnswer();
  assert(await store.put(note, "a", "new", { ...terms, if: null }));
  await lost;
  assertEquals((await direct.get(note, "a", now))?.value, "new");
});

proxyTest("a delete whose answer is lost is not repeated on a new record", 30, async (at) => {
  const { store, direct, proxy, url } = at;
  await store.put(note, "a", 1, terms);
  const lost = proxy.loseAnswer();
  await store.delete(note, "a");
  await lost;
  assertEquals(await store.get(note, "a", now), undefined);

  await store.put(note, "a", "old", terms);
  await useStatements(store);
  await runSql(
    url,
    `CREATE FUNCTION renew() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN OLD.value = '"new"'; OLD.version = 'foreign'; INSERT INTO postern_record VALUES (OLD.*); RETURN NULL; END $$;
     CREATE TRIGGER renew AFTER DELETE ON postern_record FOR EACH ROW EXECUTE FUNCTION renew()`,
  );
  const lostAgain = proxy.loseAnswer();
  await assertRejects(() => store.delete(note, "a"), StoreUnavailable, "it is unknown whether");
  await lostAgain;
  assertEquals((await direct.get(note, "a", now))?.value, "new");
});

proxyTest("a read whose answer is lost is repeated", 30, async ({ store, proxy }) => {
  await store.put(note, "a", 1, terms);
  const lost = proxy.loseAnswer();
  assertEquals((await store.get(note, "a", now))?.value, 1);
  await lost;
});

proxyTest(
  "while nothing arrives each call ends in time, and calls work again afterwards",
  short,
  async ({ store, direct, proxy }) => {
    await direct.put(note, "a", 1, terms);
    proxy.hold();
    const calls = [
      () => store.get(note, "a", now),
      () => store.put(note, "b", 1, { ...terms, if: null }),
      () => store.delete(note, "c"),
      () => store.sweep!(1, now),
    ];
    const errors = await Promise.all(calls.map((call) => assertRejects(call, StoreUnavailable)));
    for (const { message } of errors) {
      assertMatch(
        message,
        /^The store "postgres:\S+" does not work now: \S+ does not answer: check the address, /,
      );
    }
    proxy.pass();
    assertEquals((await untilInTime(() => store.get(note, "a", now)))?.value, 1);
    await untilInTime(() => store.put(note, "a", 2, terms));
    assertEquals((await untilInTime(() => store.get(note, "a", now)))?.value, 2);
  },
);

testWithPostgres(
  "postgres store: a port that closes each connection is refused in time, without a loop",
  async () => {
    let connections = 0;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      connections++;
      sockets.add(socket);
      socket.on("error", () => {}).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { readonly port: number };
    const url = `postgres://ann:canary@127.0.0.1:${port}/db`;
    for (const mode of ["disable", "prefer"]) {
      const error = await assertRejects(
        () => postgresStore(`${url}?sslmode=${mode}`, { timeout: 1 }),
        StoreUnavailable,
      );
      assertMatch(error.message, /": 127\.0\.0\.1:\d+ closes the connection \(/);
    }
    assert(connections < 60, `${connections} connections`);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  },
);
