/** The Redis store and a server that is killed, slow, full, busy, or no longer the primary. */
import { assert, assertEquals, assertExists, assertRejects } from "@std/assert";
import { redisStore } from "../../../src/server/store/redis.ts";
import { type Kind, type Store, StoreUnavailable } from "../../../src/server/store/store.ts";
import { askRedis } from "../../servers/ask_redis.ts";
import { testWithRedis } from "../../servers/redis.ts";
import { type RedisServer, startRedis } from "../../servers/start_redis.ts";
import { startTcpProxy } from "../../servers/tcp_proxy.ts";

const note: Kind<unknown> = { name: "note" };
const now = 1_000_000;
const terms = { now, expiresAt: now + 60 };
/** Seconds in which a call gives up. A machine that is busy may need longer for a call that succeeds. */
const short = 0.3;

interface TestServer extends RedisServer {
  /** A store whose calls may take this many seconds. Without a number they have time enough. */
  openStore(timeout?: number): Promise<Store>;
  ask(command: string, ...parameters: string[]): Promise<unknown>;
}

/** A test with a server of its own, which loses no acknowledged write. */
function it(behaviour: string, body: (server: TestServer) => Promise<void>): void {
  testWithRedis(`redis store: ${behaviour}`, async () => {
    const server = await startRedis({ appendonly: "yes", appendfsync: "always" });
    const stores: Store[] = [];
    try {
      await body({
        ...server,
        async openStore(timeout = 60) {
          const store = await untilInTime(() => redisStore(server.url, { timeout }));
          stores.push(store);
          return store;
        },
        ask: (command, ...parameters) => askRedis(server.url, command, ...parameters),
      });
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await server.end();
    }
  });
}

it("a server that is killed and started again under load loses nothing acknowledged", async (server) => {
  const patient = await server.openStore();
  const hasty = await server.openStore(short);
  const acknowledged = new Map<string, string>();
  const refused: unknown[] = [];
  let count = 0, isOver = false;
  const write = async (store: Store) => {
    while (!isOver) {
      const id = `${count++}`;
      try {
        acknowledged.set(id, await store.put(note, id, id, { ...terms, if: null }) as string);
      } catch (error) {
        refused.push(error);
      }
    }
  };
  let counted = 0, uncertain = 0;
  const increment = async (store: Store) => {
    while (!isOver) {
      const entry = await patient.get(note, "count", now);
      const { version, value } = entry ?? { version: null, value: 0 };
      try {
        const terms = { now, expiresAt: now + 60, if: version };
        if (await store.put(note, "count", value as number + 1, terms) !== undefined) counted++;
      } catch (error) {
        refused.push(error);
        uncertain++;
      }
    }
  };
  const writing = [
    ...[patient, patient, patient, hasty].map(write),
    ...[patient, patient, hasty].map(increment),
  ];
  for (const _ of [1, 2, 3]) {
    const before = acknowledged.size, refusedBefore = refused.length;
    await until(() => acknowledged.size > before + 20);
    await server.kill();
    await until(() => refused.length > refusedBefore);
    await server.start();
  }
  const after = acknowledged.size;
  await until(() => acknowledged.size > after + 20);
  isOver = true;
  await Promise.all(writing);
  for (const error of refused) assert(error instanceof StoreUnavailable, String(error));
  for (const [id, version] of acknowledged) {
    assertEquals(await patient.get(note, id, now), { value: id, version, expiresAt: terms.expiresAt });
  }
});

it("while the server is away, each call rejects, and the next ones work without opening again", async (server) => {
  const store = await server.openStore(short);
  await untilInTime(() => store.put(note, "a", 1, terms));
  await server.kill();
  const calls = [
    () => store.get(note, "a", now),
    () => store.put(note, "a", 2, terms),
    () => store.put(note, "a", 2, { ...terms, if: null }),
    () => store.delete(note, "a"),
    () => store.clock!(),
    () => listAll(store),
  ];
  await Promise.all(calls.map((call) => assertRejects(call, StoreUnavailable, "Redis cannot be reached: ")));
  await server.start();
  const patient = await server.openStore();
  assertEquals((await patient.get(note, "a", now))?.value, 1);
  await until(() => store.get(note, "a", now).then((entry) => entry?.value === 1, () => false));
});

it("a store closes while its server is away", async (server) => {
  const store = await server.openStore(short);
  await server.kill();
  const putting = store.put(note, "a", 1, terms);
  await Promise.all([store.close(), assertRejects(() => putting, StoreUnavailable)]);
});

it("a slow server delays a call until its time is over", async (server) => {
  const patient = await server.openStore();
  const hasty = await server.openStore(short);
  await server.ask("CLIENT", "PAUSE", "600000", "WRITE");
  const putting = patient.put(note, "a", 1, terms);
  await assertRejects(() => hasty.put(note, "b", 1, terms), StoreUnavailable, "does not answer (waited ");
  assertEquals(await untilInTime(() => hasty.get(note, "c", now)), undefined);
  await server.ask("CLIENT", "UNPAUSE");
  assertExists(await putting);
  await until(() => hasty.put(note, "c", 1, terms).catch(() => undefined));
});

it("a connection on which nothing arrives is replaced within the time of the call", async (server) => {
  const proxy = await startTcpProxy(server.port);
  const url = Object.assign(new URL(server.url), { port: `${proxy.port}` }).href;
  const store = await redisStore(url, { timeout: 4 });
  try {
    await store.put(note, "a", 1, terms);
    proxy.holdConnections();
    assertEquals((await store.get(note, "a", now))?.value, 1);
  } finally {
    await store.close();
    await proxy.close();
  }
});

it("a server that becomes a replica is neither written nor read", async (server) => {
  const patient = await server.openStore();
  const hasty = await server.openStore(short);
  await patient.put(note, "a", 1, terms);
  await server.ask("REPLICAOF", "127.0.0.1", "1");
  await until(() => hasty.put(note, "a", 2, terms).then(() => false, describes("read-only replica")));
  await until(() => hasty.get(note, "a", now).then(() => false, describes("read-only replica")));
  const open = () => redisStore(server.url, { timeout: short });
  const opening = await assertRejects(open, StoreUnavailable, "read-only replica");
  assert(opening.message.startsWith('Cannot open the store "redis://127.0.0.1:'), opening.message);
  const putting = patient.put(note, "b", 1, terms);
  await server.ask("REPLICAOF", "NO", "ONE");
  assertExists(await putting);
  assertEquals((await patient.get(note, "a", now))?.value, 1);
});

/** Repeats the question until its answer is not false or undefined. The test runner limits the time. */
async function until<T>(question: () => T | Promise<T>): Promise<T> {
  for (;;) {
    const answer = await question();
    if (answer !== false && answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Repeats a call until it succeeds. */
async function untilInTime<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

/** Returns a function that says whether an error has the words. */
function describes(words: string): (error: Error) => boolean {
  return ({ message }) => message.includes(words);
}

async function listAll(store: Store): Promise<void> {
  for await (const _ of store.list!(note));
}
