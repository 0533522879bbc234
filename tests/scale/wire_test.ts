/** What the calls of an operation cost on the wire: one round trip each, and no more octets than docs/scale.md says. */
import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { startCountingProxy } from "../../scripts/scale/counting_proxy.ts";
import type { Measures } from "../../scripts/scale/measures.ts";
import { operationCosts } from "./operation_costs.ts";
import { operations } from "./operations.ts";
import { openSite } from "./site.ts";
import { openStore } from "../../src/server/store/open_store.ts";
import { openPostgres, testWithPostgres } from "../servers/postgres.ts";
import { openRedis, testWithRedis } from "../servers/redis.ts";

const measures: Measures = JSON.parse(await readFile("scripts/scale/measured_costs.json", "utf8"));
/** Names and versions differ in length. */
const tolerance = 1.1;
/** Together they have each kind of call. */
const names = ["first_login", "client_credentials_with_key"];

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
      for (const name of names) {
        const { prepare } = operations.find((each) => each.name === name)!;
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
