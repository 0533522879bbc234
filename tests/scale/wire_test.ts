/** What the calls of an operation cost on the wire: at most one round trip each, and the octets of docs/scale.md. */
import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { startCountingProxy } from "../../scripts/scale/counting_proxy.ts";
import type { Measures } from "../../scripts/scale/measures.ts";
import { operationCosts } from "./operation_costs.ts";
import { operations } from "./operations.ts";
import { openSite } from "./site.ts";
import { openStore } from "../../src/server/store/open_store.ts";
import type { Kind } from "../../src/server/store/store.ts";
import { openPostgres, testWithPostgres } from "../servers/postgres.ts";
import { openRedis, testWithRedis } from "../servers/redis.ts";

const measures: Measures = JSON.parse(await readFile("scripts/scale/measured_costs.json", "utf8"));
/** Names and versions differ in length. */
const tolerance = 1.1;

const engines = [
  { name: "postgres", testWith: testWithPostgres, open: openPostgres },
  { name: "redis", testWith: testWithRedis, open: openRedis },
];

for (const { name: engine, testWith, open } of engines) {
  testWith(`${engine}: each call of the store is one round trip`, async () => {
    const { url, discard } = await open();
    const { port } = new URL(url);
    const proxy = await startCountingProxy(Number(port));
    const store = await openStore(url.replace(`:${port}`, `:${proxy.port}`), () => {});
    const site = await openSite(store);
    try {
      await site.logIn();
      await site.get("/oauth2/jwks");
      for (const { name, prepare } of operations.filter(({ options }) => options === undefined)) {
        // Each connection prepares a statement when it first uses it.
        await (await prepare(site))();
        const run = await prepare(site);
        const before = proxy.traffic();
        await run();
        const after = proxy.traffic();
        assertEquals(after.roundTrips - before.roundTrips, operationCosts.get(name)!.length, name);
        const octets = after.sent + after.received - before.sent - before.received;
        const { sent = 0, received = 0 } = measures.operations[name]![engine]!;
        const most = (sent + received) * tolerance;
        assert(octets <= most, `${name}: ${octets} octets instead of ${sent + received}`);
      }
    } finally {
      await site.world.close();
      await store.close();
      await proxy.close();
      await discard();
    }
  });
}

testWithPostgres("postgres: logins at the same time share round trips", async () => {
  const { url, discard } = await openPostgres();
  const { port } = new URL(url);
  const proxy = await startCountingProxy(Number(port));
  // One connection, so that each statement is a round trip.
  const store = await openStore(`${url.replace(`:${port}`, `:${proxy.port}`)}&pool_size=1`, () => {});
  const site = await openSite(store);
  try {
    const { prepare } = operations.find(({ name }) => name === "next_login")!;
    const logins: (() => Promise<unknown>)[] = [];
    for (let count = 0; count < 8; count++) logins.push(await prepare(site));
    const logInAll = () => Promise.all(logins.map((logIn) => logIn()));
    // Statements are prepared when they are first used.
    await logInAll();
    const before = proxy.traffic().roundTrips;
    await logInAll();
    const alone = logins.length * operationCosts.get("next_login")!.length;
    const roundTrips = proxy.traffic().roundTrips - before;
    assert(roundTrips <= 0.6 * alone, `${roundTrips} round trips instead of ${alone}`);
  } finally {
    await site.world.close();
    await store.close();
    await proxy.close();
    await discard();
  }
});

testWithPostgres("postgres: 16 calls at the same time are one round trip", async () => {
  const { url, discard } = await openPostgres();
  const { port } = new URL(url);
  const proxy = await startCountingProxy(Number(port));
  const store = await openStore(`${url.replace(`:${port}`, `:${proxy.port}`)}&pool_size=1`, () => {});
  const note: Kind<string> = { name: "note" };
  const [now, expiresAt] = [1_000_000, 1_000_060];
  // Few, because a store sweeps at its 100th put.
  const ids = Array.from({ length: 16 }, (_, index) => `id ${index}`);
  const create = () =>
    Promise.all(ids.map((id) => store.put(note, id, `${id}, new`, { now, expiresAt, if: null })));
  const replace = (versions: readonly (string | undefined)[]) =>
    Promise.all(
      ids.map((id, index) =>
        store.put(note, id, `${id}, replaced`, { now, expiresAt, if: versions[index]! })
      ),
    );
  const read = async () => {
    const entries = await Promise.all(ids.map((id) => store.get(note, id, now)));
    return entries.map((entry) => entry?.value);
  };
  const count = async <T>(work: () => Promise<T>) => {
    const before = proxy.traffic().roundTrips;
    return { result: await work(), roundTrips: proxy.traffic().roundTrips - before };
  };
  try {
    // A connection asks about a statement when it first uses it.
    await replace(await create());
    await read();
    await Promise.all(ids.map((id) => store.delete(note, id)));

    const created = await count(create);
    assertEquals(new Set(created.result).size, ids.length);
    const again = await count(create);
    assertEquals(again.result.filter((version) => version !== undefined), []);
    assertEquals(await count(read), { result: ids.map((id) => `${id}, new`), roundTrips: 1 });
    const isRight = (index: number) => index % 2 === 0;
    const replaced = await count(() =>
      replace(created.result.map((version, index) => isRight(index) ? version : "another version"))
    );
    assertEquals(
      replaced.result.map((version) => version !== undefined),
      ids.map((_, index) => isRight(index)),
    );
    assertEquals((await store.get(note, ids[0]!, now))?.version, replaced.result[0]);
    assertEquals(await read(), ids.map((id, index) => `${id}, ${isRight(index) ? "replaced" : "new"}`));
    assertEquals([created, again, replaced].map(({ roundTrips }) => roundTrips), [1, 1, 1]);
  } finally {
    await store.close();
    await proxy.close();
    await discard();
  }
});
