/** What only code can bring is checked at start, as the rest of the configuration is. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { createServer, memoryStore, type ServerOptions, type Store } from "../src/mod.ts";
import { test } from "./runner.ts";
import { sampleKey } from "./world.ts";

const nothing = () => Promise.resolve(undefined);

const mistakes: readonly (readonly [options: unknown, sentence: string])[] = [
  ...[null, 5, "x", [], () => {}].map((options) => [options, "its options must be an object"] as const),
  [{ store: {} }, "store must have the verbs of a Store, and has no get, no put, no delete, no close"],
  [{ store: { get: nothing, put: nothing, close: nothing } }, "and has no delete"],
  [{ store: new Map() }, "and has no put, no close"],
  [{ store: "memory" }, "store must have the verbs"],
  [{ now: 5 }, "now must be a function that returns seconds since 1970"],
  [{ now: () => "12:00" }, "now must be a function that returns seconds"],
  [{ now: () => NaN }, "now must be a function that returns seconds"],
  [{ now: Date.now }, "now must return seconds since 1970, and seems to return milliseconds"],
  [{ random: Math.random }, "random must be a function from a length to a Uint8Array"],
  [{ random: 4 }, "random must be a function"],
  [{ fetch: "x" }, "fetch must be a function"],
  [{ journal: [] }, "journal must be a function"],
  [{ seams: "x" }, "seams must be an object of functions"],
  [{ seams: { claim() {} } }, "seams.claim is not known: known are arrival, metadata, key_set, claims, jwt,"],
  [{ seams: { claims: 5 } }, "seams.claims must be a function"],
  [
    { signingKeys: { keys: [sampleKey] } },
    "signingKeys must be a list of private JWKs: of a key set, give its keys",
  ],
  [{ signingKeys: sampleKey }, "signingKeys must be a list of private JWKs"],
  [{ signingKeys: [sampleKey, null] }, "signingKeys[1] must be a private JWK"],
];

for (const [index, [options, sentence]] of mistakes.entries()) {
  test(`required parts: ${sentence} (${index + 1})`, () => {
    const error = assertThrows(() => createServer(options as ServerOptions), TypeError, sentence);
    assert(error.message.startsWith("Cannot create server: "));
    assert(!error.message.includes(sampleKey.d!));
  });
}

test("required parts: what was not said is not asked for", async () => {
  const parts = { store: undefined, signingKeys: undefined, seams: { claims: undefined }, now: undefined };
  const server = createServer(parts as unknown as ServerOptions);
  assertEquals((await server.fetch(new Request("http://localhost:9000/oauth2/jwks"))).status, 200);
  await server.close();
});

test("required parts: the verbs of a store may come from its class", async () => {
  const memory = memoryStore();
  const store = Object.create(memory) as Store;
  const server = createServer({ store, alg: "ES256" });
  assertEquals((await server.fetch(new Request("http://localhost:9000/oauth2/jwks"))).status, 200);
  await server.close();
});
