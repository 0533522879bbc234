/** The probes: when they fail, what they tell, which hosts they accept, and that they leave no trace. */

import { assert, assertEquals } from "@std/assert";
import { createServer, type JournalEntry } from "../../../src/mod.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { health } from "../../../src/server/features/health.ts";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import type { Entry, Store } from "../../../src/server/store/store.ts";
import { test } from "../../runner.ts";
import { createWorld, inWorld, sampleKey } from "../../world.ts";

// Making an RSA key is slow.
const quickKey = { alg: "ES256", signingKeys: [sampleKey] } as const;

const get = (url: string, init?: RequestInit) => new Request(url, init);

for (const [path, status] of [["/health", "ok"], ["/ready", "ready"]] as const) {
  test(`health: ${path} of a working server answers 200 with its issuer and nothing else, and is not kept`, () =>
    inWorld({}, async (world) => {
      const response = await world.get(path);
      assertEquals([response.status, await response.json()], [200, { status, issuer: world.issuer }]);
      assertEquals(response.headers.get("cache-control"), "no-store");
      assertEquals(response.headers.get("access-control-allow-origin"), null);
    }));
}

test("health: it is below the path of the issuer, answers HEAD, and is not in the metadata", async () => {
  const server = createServer({ ...quickKey, issuer: "http://localhost:9000/tenant" });
  const head = await server.fetch(get("http://localhost:9000/tenant/health", { method: "HEAD" }));
  assertEquals([head.status, await head.text()], [200, ""]);
  const posted = await server.fetch(get("http://localhost:9000/tenant/health", { method: "POST" }));
  assertEquals([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
  const metadata = await server.fetch(
    get("http://localhost:9000/.well-known/oauth-authorization-server/tenant"),
  );
  assert(!(await metadata.text()).includes("/health"));
  await server.close();
});

/** A memory store whose reads fail. */
function createFailingStore(): Store {
  return {
    ...memoryStore(),
    get: () => Promise.reject(new Error("canary: disk failure at /var/lib/postern")),
  };
}

test("health: /health does not depend on the store, so that no platform restarts a healthy process", async () => {
  const server = createServer({ ...quickKey, store: createFailingStore() });
  const response = await server.fetch(get("http://localhost:9000/health"));
  assertEquals([response.status, (await response.json()).status], [200, "ok"]);
  await server.close();
});

/** The probe waits for the store for a moment only. */
const features = [
  ...defaultFeatures(everyFeature).filter(({ name }) => name !== "health"),
  health({ longestRead: 0.01 }),
];

test("ready: it answers 503 if the store cannot be read, and tells only the journal why", async () => {
  const journal: JournalEntry[] = [];
  const server = createServer({
    ...quickKey,
    store: createFailingStore(),
    journal: (entry) => journal.push(entry),
  });
  const response = await server.fetch(get("http://localhost:9000/ready"));
  assertEquals([response.status, await response.json()], [
    503,
    { error: "temporarily_unavailable", error_description: "The server cannot read its store" },
  ]);
  assertEquals([response.headers.get("retry-after"), response.headers.get("cache-control")], [
    "2",
    "no-store",
  ]);
  const facts = journal[0]?.facts;
  assertEquals([facts?.refusal?.reason, facts?.fault instanceof Error], ["store_unreadable", true]);
  await server.close();
});

test("ready: a store that does not answer is a 503 in bounded time, and probes at one time share a read", async () => {
  const answers: ((entry: Entry<never> | undefined) => void)[] = [];
  const store: Store = { ...memoryStore(), get: () => new Promise((resolve) => answers.push(resolve)) };
  await using world = createWorld({ store, features });
  const both = await Promise.all([world.get("/ready"), world.get("/ready")]);
  for (const response of both) {
    assertEquals([response.status, response.headers.get("retry-after")], [503, "2"]);
    assertEquals((await response.json()).error_description, "The store of the server does not answer");
  }
  assertEquals([world.lastRefusal()?.reason, answers.length], ["store_too_slow", 1]);
  // The next probe reads again, because the first read may never end.
  const third = world.get("/ready");
  answers[1]?.(undefined);
  assertEquals((await third).status, 200);
});

test("ready: the error of a read that outlasts its request is in the journal of the next failed request", async () => {
  const reads: { readonly end: (value: undefined) => void; readonly fail: (error: Error) => void }[] = [];
  const read = () => new Promise<undefined>((end, fail) => reads.push({ end, fail }));
  await using world = createWorld({ store: { ...memoryStore(), get: read }, features });
  const probe = async () => {
    const response = await world.get("/ready");
    const { refusal, fault } = world.journal.at(-1)!.facts;
    return [response.status, (await response.text()).includes("canary"), refusal?.reason, fault];
  };
  assertEquals(await probe(), [503, false, "store_too_slow", undefined]);
  const refused = new Error("canary: connection refused");
  reads[0]!.fail(refused);
  assertEquals(await probe(), [503, false, "store_unreadable", refused]);
  reads[1]!.end(undefined);
  assertEquals(await probe(), [503, false, "store_too_slow", undefined]);
});

test("health: both probes answer 503 after the server was closed", async () => {
  const server = createServer(quickKey);
  await server.close();
  for (const path of ["/health", "/ready"]) {
    const response = await server.fetch(get(`http://localhost:9000${path}`));
    assertEquals([response.status, (await response.json()).error], [503, "temporarily_unavailable"]);
  }
});

test("health: a probe may name the server by any IP address, and no request by a foreign name", async () => {
  const server = createServer({ ...quickKey, issuer: "https://id.acme.com", clients: [], people: [] });
  const statusAt = async (url: string) => (await server.fetch(get(url))).status;
  const rows = ["http://10.1.2.3:9000", "http://[fd00::7]:9000", "http://localhost", "https://id.acme.com"];
  for (const origin of rows) {
    for (const path of ["/health", "/ready"]) assertEquals(await statusAt(origin + path), 200, origin);
  }
  for (const origin of ["http://postern:9000", "http://rebound.example", "http://10.1.2.3.nip.io"]) {
    for (const path of ["/health", "/ready"]) assertEquals(await statusAt(origin + path), 421, origin);
  }
  const cases = [
    "/",
    "/oauth2/jwks",
    "/health/",
    "/static/postern.css",
    "/.well-known/openid-configuration",
  ];
  for (const path of cases) {
    assertEquals(await statusAt(`http://10.1.2.3:9000${path}`), 421, path);
  }
  await server.close();
});

test("health: a probe is in the journal if it is refused with any status, and not otherwise", async () => {
  for (const [status, entries] of [[200, 0], [399, 0], [400, 1], [503, 1]] as const) {
    await inWorld({ seams: { response: (answer) => ({ ...answer, status }) } }, async (world) => {
      assertEquals([(await world.get("/health")).status, world.journal.length], [status, entries]);
    });
  }
});
