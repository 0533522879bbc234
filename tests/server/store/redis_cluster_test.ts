/** The Redis store in a cluster of three servers: the contract, keys that move, and a server that is away. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { storeContract } from "../../../src/server/store/contract.ts";
import { redisStore } from "../../../src/server/store/redis.ts";
import { type Kind, type Store, StoreUnavailable } from "../../../src/server/store/store.ts";
import { askRedis } from "../../servers/ask_redis.ts";
import { testWithRedis } from "../../servers/redis.ts";
import { findRedisProblem } from "../../servers/start_redis.ts";
import { startRedisCluster } from "../../servers/start_redis_cluster.ts";

const note: Kind<unknown> = { name: "note" };
const now = 1_000_000;
const terms = { now, expiresAt: now + 60 };

// Outside the tests, because Deno does not allow that a test leaves a process. A cluster needs two seconds to begin.
const cluster = findRedisProblem() === undefined ? await startRedisCluster() : undefined;

/** What one server alone answers. The tests of the store with one server have the same, with the values and many steps. */
const ofOneServer = /: (?:values? |a value |a version never |after 500 random steps )/;

storeContract("redis cluster", async () => {
  const prefix = crypto.randomUUID();
  const openAgain = () => redisStore(cluster!.url, { prefix });
  return { store: await openAgain(), openAgain };
}, {
  test: (name, run) => ofOneServer.test(name) ? undefined : testWithRedis(name, run),
  without: ["sweep"],
});

function clusterTest(behaviour: string, body: (store: Store, prefix: string) => Promise<void>): void {
  testWithRedis(`redis cluster: ${behaviour}`, async () => {
    const prefix = crypto.randomUUID();
    const store = await redisStore(cluster!.url, { prefix, timeout: 60 });
    try {
      await body(store, prefix);
    } finally {
      await store.close();
    }
  });
}

clusterTest("the keys are on all servers", async (store, prefix) => {
  await Promise.all(upTo(60).map((number) => store.put(note, `{same}${number}`, number, terms)));
  for (const url of cluster!.urls) {
    const keys = await askRedis(url, "KEYS", `${prefix}:*`) as string[];
    assert(keys.length > 5, `${keys.length} keys`);
  }
});

clusterTest("writes and reads go on while keys move to another server", async (store, prefix) => {
  const version = await store.put(note, "moved", 0, terms) as string;
  const slot = `${await askRedis(cluster!.urls[0]!, "CLUSTER", "KEYSLOT", `${prefix}:note:moved`)}`;
  const from = Math.floor(Number(slot) / 5461), to = (from + 1) % 3;
  const [fromId, toId] = await Promise.all([idOf(from), idOf(to)]);
  await askRedis(cluster!.urls[to]!, "CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
  await askRedis(cluster!.urls[from]!, "CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
  const { port } = cluster!.servers[to]!;
  const { password } = new URL(cluster!.urls[to]!);
  const options = ["0", "5000", "AUTH", password];
  await askRedis(cluster!.urls[from]!, "MIGRATE", "127.0.0.1", `${port}`, `${prefix}:note:moved`, ...options);
  // Now the old server answers ASK, and later MOVED.
  assertEquals((await store.get(note, "moved", now))?.version, version);
  const second = await store.put(note, "moved", 1, { ...terms, if: version }) as string;
  assertEquals(await store.put(note, "moved", 2, { ...terms, if: version }), undefined);
  for (const index of [to, from, 3 - to - from]) {
    await askRedis(cluster!.urls[index]!, "CLUSTER", "SETSLOT", slot, "NODE", toId);
  }
  assertEquals((await store.get(note, "moved", now))?.version, second);
  assertEquals(typeof await store.put(note, "moved", 2, { ...terms, if: second }), "string");
});

clusterTest(
  "a server that is away delays only its own keys, and is used again when it is back",
  async (store, prefix) => {
    const [away] = cluster!.servers;
    await Promise.all(upTo(30).map((number) => store.put(note, `${number}`, number, terms)));
    const hasty = await redisStore(cluster!.url, { prefix, timeout: 2 });
    const write = (number: number) => hasty.put(note, `${number}`, number, terms);
    await away!.kill();
    const results = await Promise.allSettled(upTo(30).map(write));
    await away!.start();
    const refused = results.flatMap((result) => result.status === "rejected" ? [result.reason] : []);
    assert(refused.length > 0 && refused.length < 30, `${refused.length} refused`);
    for (const error of refused) assert(error instanceof StoreUnavailable, String(error));
    const patient = await Promise.all(upTo(30).map((number) => store.put(note, `${number}`, -1, terms)));
    assertEquals(patient.length, 30);
    await hasty.close();
  },
);

testWithRedis("redis cluster: a URL without cluster=true is refused, and a wrong password too", async () => {
  await assertRejects(() => redisStore(cluster!.urls[1]!), TypeError, "add ?cluster=true to the URL");
  const wrong = cluster!.url.replace(/:[^:@]*@/, ":canary@");
  const error = await assertRejects(() => redisStore(wrong), TypeError, "refuses the user or the password");
  assert(!error.message.includes("canary"));
});

async function idOf(index: number): Promise<string> {
  return `${await askRedis(cluster!.urls[index]!, "CLUSTER", "MYID")}`;
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
