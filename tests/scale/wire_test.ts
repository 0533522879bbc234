/** What the calls of an operation cost on the wire: one round trip each, and no more octets than docs/scale.md says. */
import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { startCountingProxy } from "../../scripts/scale/counting_proxy.ts";
import type { Measures } from "../../scripts/scale/measures.ts";
import { operationCosts } from "./operation_costs.ts";
import { type Operation, operations } from "./operations.ts";
import { openSite } from "./site.ts";
import { openStore } from "../../src/cli/open_store.ts";
import { runtime, test } from "../runner.ts";
import { openPostgres, testWithPostgres } from "../servers/postgres.ts";
import { openRedis, testWithRedis } from "../servers/redis.ts";

const measures: Measures = JSON.parse(await readFile("scripts/scale/measured_costs.json", "utf8"));
/** Names and versions differ in length. */
const tolerance = 1.1;
const names = ["first_login", "next_login", "refresh", "introspection", "client_credentials_with_key"];

const engines = [
  { name: "postgres", testWith: testWithPostgres, open: openPostgres },
  { name: "redis", testWith: testWithRedis, open: openRedis },
];

for (const { name: engine, testWith, open } of engines) {
  // The octets are the same on every runtime, because the library makes them.
  const testOnce: typeof testWith = runtime === "deno"
    ? testWith
    : (name) => test.skip(name, "only Deno counts round trips");

  for (const name of names) {
    const operation = operations.find((each) => each.name === name)!;
    testOnce(`${engine}: ${operation.title}: each call of the store is one round trip`, async () => {
      const { url, discard } = await open();
      try {
        const { roundTrips, octets } = await countTraffic(url, operation);
        assertEquals(roundTrips, operationCosts.get(name)!.length);
        const { sent = 0, received = 0 } = measures.operations[name]![engine]!;
        assert(octets <= (sent + received) * tolerance, `${octets} octets instead of ${sent + received}`);
      } finally {
        await discard();
      }
    });
  }
}

async function countTraffic(
  url: string,
  { prepare, options }: Operation,
): Promise<{ readonly roundTrips: number; readonly octets: number }> {
  const { port } = new URL(url);
  const proxy = await startCountingProxy(Number(port));
  const store = await openStore(url.replace(`:${port}`, `:${proxy.port}`), () => {});
  const site = await openSite(store, options);
  try {
    await site.logIn();
    await site.get("/oauth2/jwks");
    // Each connection prepares a statement when it first uses it.
    await (await prepare(site))();
    const run = await prepare(site);
    const before = proxy.traffic();
    await run();
    const after = proxy.traffic();
    return {
      roundTrips: after.roundTrips - before.roundTrips,
      octets: after.sent + after.received - before.sent - before.received,
    };
  } finally {
    await site.world.close();
    await store.close();
    await proxy.close();
  }
}
