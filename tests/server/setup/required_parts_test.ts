/** Options that are not JSON are checked at start, like the others. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  createServer,
  type Journal,
  memoryStore,
  type RandomBytes,
  type Seam,
  type ServerOptions,
  type Store,
} from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { sampleKey } from "../../world.ts";

const mistakes: readonly (readonly [options: unknown, sentence: string])[] = [
  ...[null, 5, "x", [], () => {}].map((options) => [options, "its options must be an object"] as const),
  [{ store: {} }, "store must have the methods of a Store, but lacks get, put, delete, close"],
  [{ store: "memory" }, "store must have the methods"],
  ...(["get", "put", "delete", "close"] as const).map((name) =>
    [{ store: { ...memoryStore(), [name]: undefined } }, `lacks ${name}`] as const
  ),
  [{ fetch: "x" }, "fetch must be a function, not a string"],
  [{ random: 5 }, "random must be a function, not a number"],
  [{ now: () => 1e11 }, "now must return seconds since 1970: it seems to return milliseconds"],
  [{ now: 5 }, "now must be a function that returns seconds since 1970"],
  [{ now: () => "12:00" }, "now must be a function that returns seconds"],
  [{ now: () => NaN }, "now must be a function that returns seconds"],
  [{ now: Date.now }, "now must return seconds since 1970: it seems to return milliseconds"],
  [{ journal: [] }, "journal must be a function, not an array"],
  [{ seams: "x" }, "seams must be an object of functions"],
  [{ seams: { claim() {} } }, "seams.claim is not known: did you mean claims?"],
  [{ seams: { other() {} } }, "seams.other is not known: known are arrival, metadata, key_set, claims, jwt,"],
  [{
    now() {
      throw new Error("no clock");
    },
  }, "now throws"],
  [{ seams: { claims: 5 } }, "seams.claims must be a function, not a number"],
  [
    { signingKeys: { keys: [sampleKey] } },
    "signingKeys must be a list of private JWKs: pass the keys member of the key set",
  ],
  [{ signingKeys: sampleKey }, "signingKeys must be a list of private JWKs, not an object"],
  [{ signingKeys: [sampleKey, null] }, "signingKeys[1] must be a private JWK, not null"],
];

for (const [index, [options, sentence]] of mistakes.entries()) {
  test(`required parts: ${sentence} (${index + 1})`, () => {
    const error = assertThrows(() => createServer(options as ServerOptions), TypeError, sentence);
    assert(error.message.startsWith("Cannot create server: "));
    assert(!error.message.includes(sampleKey.d!));
  });
}

test("required parts: a start takes no random octets, and each request checks those that it takes", async () => {
  const faults: unknown[] = [];
  const asked: number[] = [];
  for (const random of [Math.random, () => new Uint8Array(3)] as unknown as RandomBytes[]) {
    const journal: Journal = ({ facts }) => faults.push(facts.fault);
    const server = createServer({
      random(length) {
        asked.push(length);
        return random(length);
      },
      journal,
      alg: "ES256",
      signingKeys: [sampleKey],
    });
    assertEquals(asked, []);
    const target =
      "http://localhost:9000/oauth2/authorize?client_id=demo&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb";
    await server.fetch(new Request(target)).catch((fault) => faults.push(fault));
    await server.close();
    const fault = faults.find((each) => each !== undefined) as Error;
    assertMatch(fault.message, /random\((\d+)\) must return a Uint8Array of \1 octets/);
    asked.length = faults.length = 0;
  }
});

test("required parts: seams may have other members that are not functions", async () => {
  const heard: string[] = [];
  const metadata: Seam<"metadata"> = (members) => {
    heard.push("metadata");
    return members;
  };
  const seams = { heard, metadata };
  const server = createServer({ seams, alg: "ES256", signingKeys: [sampleKey] });
  await server.fetch(new Request("http://localhost:9000/.well-known/oauth-authorization-server"));
  assertEquals(heard, ["metadata"]);
  await server.close();
});

test("required parts: a part that is undefined counts as left out", async () => {
  const parts = {
    alg: "ES256",
    store: undefined,
    signingKeys: [sampleKey],
    random: undefined,
    seams: { claims: undefined },
    now: undefined,
  };
  const server = createServer(parts as unknown as ServerOptions);
  assertEquals((await server.fetch(new Request("http://localhost:9000/oauth2/jwks"))).status, 200);
  await server.close();
});

test("required parts: the methods of a store may be inherited", async () => {
  const memory = memoryStore();
  const store = Object.create(memory) as Store;
  const server = createServer({ store, alg: "ES256", signingKeys: [sampleKey] });
  assertEquals((await server.fetch(new Request("http://localhost:9000/oauth2/jwks"))).status, 200);
  await server.close();
});
