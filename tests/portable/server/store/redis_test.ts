/** The Redis store: the contract, how long Redis keeps a record, the connections, and answers that are lost. */
import { assert, assertEquals, assertExists, assertNotEquals, assertRejects } from "@std/assert";
import { Cluster, Redis } from "ioredis";
import type { RedisClient, RedisStoreOptions } from "../../../../src/mod.ts";
import { storeContract } from "../../../../src/server/store/contract.ts";
import { redisStore } from "../../../../src/server/store/redis.ts";
import type { RedisLibrary } from "../../../../src/server/store/redis/create_client.ts";
import { type Kind, never, type Store, StoreUnavailable } from "../../../../src/server/store/store.ts";
import { test } from "../../../runner.ts";
import { askRedis } from "../../../servers/ask_redis.ts";
import { openRedis, testWithRedis } from "../../../servers/redis.ts";
import { startTcpProxy, type TcpProxy } from "../../../servers/tcp_proxy.ts";

const note: Kind<unknown> = { name: "note" };
const now = 1_000_000;
const terms = { now, expiresAt: now + 60 };

storeContract("redis store", async () => {
  const { url, discard } = await openRedis();
  return { store: await redisStore(url), openAgain: () => redisStore(url), discard };
}, { test: testWithRedis, without: ["sweep"] });

interface TestDatabase {
  readonly url: string;
  open(options?: RedisStoreOptions, url?: string): Promise<Store>;
  ask(command: string, ...parameters: string[]): Promise<unknown>;
}

/** A test with a database of its own. Its stores are closed afterwards. */
function redisTest(behaviour: string, body: (database: TestDatabase) => Promise<void>): void {
  testWithRedis(`redis store: ${behaviour}`, async () => {
    const { url, discard } = await openRedis();
    const stores: Store[] = [];
    try {
      await body({
        url,
        async open(options, otherUrl = url) {
          const store = await redisStore(otherUrl, options);
          stores.push(store);
          return store;
        },
        ask: (command, ...parameters) => askRedis(url, command, ...parameters),
      });
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await discard();
    }
  });
}

redisTest(
  "Redis keeps a record for a day after its end, counted from the caller's time",
  async (database) => {
    const store = await database.open();
    const keptFor = async (id: string) => Number(await database.ask("PTTL", `postern:note:${id}`)) / 1000;
    const day = 24 * 60 * 60;
    const cases: readonly (readonly [expiresAt: number, seconds: number])[] = [
      [now + 60, day + 60],
      [now + 0.5, day + 0.5],
      [now, day],
      [now - 10 * day, day],
      [-Infinity, day],
      [now + 1e9, day + 1e9],
      [never - 1, never - 1 - now + day],
    ];
    for (const [expiresAt, seconds] of cases) {
      await store.put(note, "a", 1, { now, expiresAt });
      const kept = await keptFor("a");
      assert(kept <= seconds && kept > seconds - 60, `${expiresAt}: ${kept}`);
      assertEquals(
        (await store.get(note, "a", expiresAt - 1))?.expiresAt,
        expiresAt - 1 < expiresAt ? expiresAt : undefined,
      );
    }
    for (const expiresAt of [never, never + 1, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE, Infinity]) {
      await store.put(note, "a", 1, { now, expiresAt });
      assertEquals(await keptFor("a"), -0.001, `${expiresAt} has no end`);
      assertEquals((await store.get(note, "a", now))?.expiresAt, expiresAt);
      assertEquals(await store.put(note, "a", 2, { now, expiresAt, if: null }), undefined);
    }
    await store.put(note, "b", 1, { now: -Infinity, expiresAt: now });
    assertEquals(await keptFor("b"), -0.001, "a lifetime that is too long for Redis");
    await store.put(note, "a", 1, terms);
    assert(await keptFor("a") > 0, "a later put shortens the lifetime");
  },
);

redisTest(
  "stores with different prefixes share a database, and see no record of each other",
  async ({ open }) => {
    const [one, other, likeOne] = [
      await open({ prefix: "one" }),
      await open({ prefix: "*" }),
      await open({ prefix: "[o]ne" }),
    ];
    await one.put(note, "a", 1, terms);
    for (const store of [other, likeOne]) {
      assertEquals(await store.get(note, "a", now), undefined);
      assertEquals(await listIds(store), []);
      for await (const kind of store.kinds!()) throw new Error(`found the kind ${kind}`);
    }
    assertEquals(await listIds(one), ["a"]);
  },
);

redisTest("names choose no server of a cluster by braces, and no two names are one key", async (database) => {
  const store = await database.open();
  const names = ["{a}b", "{a}", "a:b", "a", "\\u007ba}b", "{}", ":", "}{"];
  for (const name of names) {
    for (const id of names) assertExists(await store.put({ name }, id, [name, id], { ...terms, if: null }));
  }
  const keys = await database.ask("KEYS", "*") as string[];
  assertEquals(keys.length, names.length ** 2);
  assertEquals(keys.filter((key) => key.includes("{")), []);
  for (const name of names) {
    for (const id of names) assertEquals((await store.get({ name }, id, now))?.value, [name, id]);
  }
});

redisTest("a server that has forgotten the script learns it again", async ({ open, ask }) => {
  const store = await open();
  await ask("SCRIPT", "FLUSH");
  assertExists(await store.put(note, "a", 1, { ...terms, if: null }));
  assertEquals(await store.put(note, "a", 1, { ...terms, if: null }), undefined);
});

redisTest("opening and closing leaves no key", async ({ open, ask }) => {
  await (await open()).close();
  assertEquals(await ask("KEYS", "*"), []);
});

redisTest("clock returns the time of the server", async ({ open, ask }) => {
  const store = await open();
  const [before] = await ask("TIME") as string[];
  const time = (await store.clock!())!;
  const [after] = await ask("TIME") as string[];
  assert(Number(before) <= time && time < Number(after) + 1, `${before} ${time} ${after}`);
});

redisTest("a client gives its options, and stays open", async ({ url, ask }) => {
  const client = new Redis(url, { keyPrefix: "mine:", lazyConnect: true });
  const store = await redisStore(client, { prefix: "given" });
  await store.put(note, "a", 1, terms);
  assertEquals(await ask("KEYS", "*"), ["given:note:a"]);
  await store.close();
  assertEquals(await client.ping(), "PONG");
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  client.disconnect();
  await ended;
});

test("redis store: the classes of ioredis have the types that the store uses", () => {
  const options = { lazyConnect: true };
  const clients: readonly RedisClient[] = [new Redis(options), new Cluster([], options)];
  const library: RedisLibrary = { Redis, Cluster };
  assertEquals(clients.map(({ isCluster }) => isCluster), [false, true]);
  assertExists(library);
});

/** The store of the test reaches the server through the proxy, and has time enough for each call. */
function lostAnswerTest(
  behaviour: string,
  body: (
    stores: { readonly store: Store; readonly direct: Store; readonly proxy: TcpProxy },
  ) => Promise<void>,
): void {
  redisTest(behaviour, async ({ url, open }) => {
    const proxy = await startTcpProxy(Number(new URL(url).port));
    try {
      const through = Object.assign(new URL(url), { port: `${proxy.port}` }).href;
      await body({ store: await open({ timeout: 60 }, through), direct: await open(), proxy });
    } finally {
      proxy.pass();
      await proxy.close();
    }
  });
}

for (const condition of ["none", "free", "version"]) {
  lostAnswerTest(
    `a put whose answer is lost has written, and says so: condition ${condition}`,
    async ({ store, direct, proxy }) => {
      const first = condition === "version" ? await store.put(note, "a", 0, terms) : null;
      const lost = proxy.loseAnswerAndHold();
      const putting = store.put(note, "a", 1, condition === "none" ? terms : { ...terms, if: first! });
      await lost;
      const written = await direct.get(note, "a", now);
      assertEquals(written?.value, 1);
      proxy.pass();
      assertEquals(await putting, written!.version);
      assertEquals(await direct.get(note, "a", now), written, "written once");
    },
  );
}

lostAnswerTest(
  "a put that did not write repeats nothing after its answer is lost",
  async ({ store, proxy }) => {
    const first = await store.put(note, "a", 0, terms);
    const lost = proxy.loseAnswerAndHold();
    const putting = store.put(note, "a", 1, { ...terms, if: "stale" });
    await lost;
    proxy.pass();
    await assertRejects(() => putting, StoreUnavailable, "An answer of Redis was lost");
    assertEquals((await store.get(note, "a", now))?.version, first);
  },
);

lostAnswerTest(
  "a put whose answer is lost does not claim that it failed, if another writer was faster or later",
  async ({ store, direct, proxy }) => {
    const lost = proxy.loseAnswerAndHold();
    const putting = store.put(note, "a", 1, { ...terms, if: null });
    await lost;
    const { version } = (await direct.get(note, "a", now))!;
    const later = await direct.put(note, "a", 2, { ...terms, if: version });
    proxy.pass();
    await assertRejects(() => putting, StoreUnavailable, "An answer of Redis was lost");
    assertEquals(await direct.get(note, "a", now), { value: 2, version: later!, expiresAt: terms.expiresAt });
  },
);

lostAnswerTest(
  "a repeated put without a condition never brings a version back",
  async ({ store, direct, proxy }) => {
    const lost = proxy.loseAnswerAndHold();
    const putting = store.put(note, "a", 1, terms);
    await lost;
    const { version } = (await direct.get(note, "a", now))!;
    await direct.put(note, "a", 2, terms);
    proxy.pass();
    const repeated = await putting;
    assertNotEquals(repeated, version);
    assertEquals((await direct.get(note, "a", now))?.version, repeated);
  },
);

lostAnswerTest("reads and deletes are repeated after their answer is lost", async ({ store, proxy }) => {
  await store.put(note, "a", 1, terms);
  const read = proxy.loseAnswerAndHold();
  const reading = store.get(note, "a", now);
  await read;
  proxy.pass();
  assertEquals((await reading)?.value, 1);
  const deleted = proxy.loseAnswerAndHold();
  const deleting = store.delete(note, "a");
  await deleted;
  proxy.pass();
  await deleting;
  assertEquals(await store.get(note, "a", now), undefined);
});

async function listIds(store: Store): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.list!(note)) ids.push(id);
  return ids.sort();
}
