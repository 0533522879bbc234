/** jwks_uri: the keys of a client at an address, their cache, and their rotation. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { type ClientMetadata, createServer } from "../../../src/mod.ts";
import { OAuthError } from "../../../src/server/oauth/contracts/refusals.ts";
import type { Exchange } from "../../../src/server/oauth/contracts/exchange.ts";
import { createKeyCache, type KeySource } from "../../../src/server/oauth/foreign/foreign_keys.ts";
import type { Services } from "../../../src/server/oauth/contracts/feature.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { inWorld, type World } from "../../world.ts";
import { askAs, assertion, type KeyPair, keys, requireAccepted } from "./assertions.ts";

const jwksUri = "https://app.example/jwks.json";

const client: ClientMetadata = {
  client_id: "asserting",
  token_endpoint_auth_method: "private_key_jwt",
  jwks_uri: jwksUri,
  redirect_uris: ["https://app.example/cb"],
};

/** The server of the client. Tests change what it answers. */
interface ClientServer {
  answer: () => Response;
  readonly urls: string[];
}

async function withClientServer(
  work: (given: { readonly world: World; readonly server: ClientServer }) => Promise<void>,
): Promise<void> {
  const server: ClientServer = { urls: [], answer: () => keySet(["es", keys.es256]) };
  const fetch = (url: string | Request) => {
    server.urls.push(String(url));
    return Promise.resolve(server.answer());
  };
  await inWorld({ clients: [client], fetch }, (world) => work({ world, server }));
}

function keySet(...pairs: readonly (readonly [kid: string, pair: KeyPair])[]): Response {
  return Response.json({ keys: pairs.map(([kid, { jwk }]) => ({ ...jwk, kid })) });
}

async function reasonOf(world: World, answer: Promise<Response>): Promise<string | undefined> {
  const response = await answer;
  assertEquals([response.status, (await response.json()).error], [401, "invalid_client"]);
  return world.lastRefusal()?.reason;
}

test("jwks_uri: keys are used again for the lifetime that the answer gives, at most an hour (CIMD §5.2)", async () => {
  const headers: readonly (readonly [cacheControl: string | undefined, seconds: number])[] = [
    [undefined, 300],
    ["max-age=20", 20],
    ["public, max-age=86400", 3600],
    ["no-store", 0],
    ["no-cache, max-age=60", 0],
  ];
  for (const [cacheControl, seconds] of headers) {
    await withClientServer(async ({ world, server }) => {
      server.answer = () => {
        const response = keySet(["es", keys.es256]);
        if (cacheControl !== undefined) response.headers.set("cache-control", cacheControl);
        return response;
      };
      await requireAccepted(askAs(world, await assertion(world)));
      if (seconds > 0) {
        world.clock.advance(seconds - 1);
        await requireAccepted(askAs(world, await assertion(world)));
        assertEquals(server.urls.length, 1, `${cacheControl}`);
        world.clock.advance(1);
      }
      await requireAccepted(askAs(world, await assertion(world)));
      assertEquals(server.urls.length, 2, `${cacheControl}`);
    });
  }
});

const it = testIn(withClientServer);

it("jwks_uri: a new key is fetched at its first use, and a removed key is refused from then on", async ({ world, server }) => {
  await requireAccepted(askAs(world, await assertion(world)));
  server.answer = () => keySet(["new", keys.foreign]);
  const signedAnew = { header: { kid: "new" }, key: keys.foreign.privateKey };
  await requireAccepted(askAs(world, await assertion(world, signedAnew)));
  assertEquals(server.urls.length, 2);
  assertEquals(await reasonOf(world, askAs(world, await assertion(world))), "assertion_signature");
});

it("jwks_uri: two assertions with a new key at the same time are accepted, after one fetch", async ({ world, server }) => {
  await requireAccepted(askAs(world, await assertion(world)));
  server.answer = () => keySet(["new", keys.foreign]);
  const signedAnew = { header: { kid: "new" }, key: keys.foreign.privateKey };
  const assertions = [await assertion(world, signedAnew), await assertion(world, signedAnew)];
  await Promise.all(assertions.map((each) => requireAccepted(askAs(world, each))));
  assertEquals(server.urls.length, 2);
});

let fetches = 0;
const getJson = () => Promise.resolve({ value: { keys: [keys.es256.jwk, fetches++] }, header: () => null });
const services = { now: () => 0, fetch: { getJson } } as unknown as Services;
const exchange = { request: { header: () => undefined } } as unknown as Exchange;
const refuse = () => new OAuthError("invalid_client", "never", { reason: "never" });
const source: KeySource = { uri: jwksUri, reach: "any", refuse };
const mostCached = 500;

test("jwks_uri: the keys of many clients are kept, and those that were fetched first leave", async () => {
  const tryKeys = createKeyCache();
  const fetchesOf = async (client: number, fits = () => true) => {
    const before = fetches;
    const attempt = () => fits() || undefined;
    await tryKeys(attempt, { ...source, uri: `${jwksUri}?${client}` }, exchange, services);
    return fetches - before;
  };
  for (let client = 0; client < mostCached; client++) assertEquals(await fetchesOf(client), 1);
  // The first client has replaced its keys.
  let tries = 0;
  assertEquals(await fetchesOf(0, () => tries++ > 0), 1);
  assertEquals([await fetchesOf(mostCached), await fetchesOf(0), await fetchesOf(1)], [1, 0, 1]);
});

test("jwks_uri: keys that must not be kept do not let wrong assertions make more fetches", async () => {
  const header = (name: string) => name === "cache-control" ? "no-store" : null;
  const unkept = async () => ({ ...await getJson(), header });
  const uncached = { ...services, fetch: { getJson: unkept } } as unknown as Services;
  const tryKeys = createKeyCache();
  fetches = 0;
  for (let times = 0; times < 8; times++) await tryKeys(() => undefined, source, exchange, uncached);
  assertEquals(fetches, 8 + 5);
});

test("jwks_uri: a verification that ends after another one has fetched the new keys fetches nothing", async () => {
  fetches = 0;
  const tryKeys = createKeyCache();
  const tried: unknown[] = [];
  const attempt = async (keys: unknown) => {
    // The second request begins and ends with the same keys, before the first one has ended.
    if (tried.push(keys) === 1) await tryKeys(attempt, source, exchange, services);
    return undefined;
  };
  await tryKeys(attempt, source, exchange, services);
  const [known, knownToSecond, newer, newerToFirst] = tried;
  assertStrictEquals(knownToSecond, known);
  assertStrictEquals(newerToFirst, newer);
  assertEquals([fetches, newer === known], [2, false]);
});

it("jwks_uri: wrong assertions make the server fetch five times a minute at most", async ({ world, server: { urls } }) => {
  const wrong = { header: { kid: "unknown" }, key: keys.foreign.privateKey };
  const sendWrong = async () => {
    for (let index = 0; index < 8; index++) {
      assertEquals(await reasonOf(world, askAs(world, await assertion(world, wrong))), "assertion_signature");
    }
  };
  await sendWrong();
  assertEquals(urls.length, 6);
  await requireAccepted(askAs(world, await assertion(world)));
  // After a minute, or when the clock was set back, none of these fetches counts.
  for (const [seconds, fetched] of [[60, 11], [-300, 16]] as const) {
    world.clock.advance(seconds);
    await sendWrong();
    assertEquals(urls.length, fetched);
  }
});

test("jwks_uri: an answer that is no set of public keys is refused, shown nowhere, and not cached (RFC 7591 §2)", async () => {
  const { d: _none, ...publicKey } = keys.es256.jwk;
  const answers: Readonly<Record<string, () => Response>> = {
    "a redirect": () => Response.redirect("https://canary.example/", 302),
    "null": () => Response.json(null),
    "a list": () => Response.json(["canary"]),
    "a private key": () => Response.json({ keys: [{ ...publicKey, kid: "es", d: "canary" }] }),
    "a symmetric key": () => Response.json({ keys: [{ kty: "oct", k: "canary" }] }),
    "too many octets": () => Response.json({ keys: [], canary: "x".repeat(65_536) }),
    "a broken connection": () => {
      throw new TypeError("canary");
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    await withClientServer(async ({ world, server }) => {
      server.answer = answer;
      const response = await askAs(world, await assertion(world));
      const body = await response.text();
      const refusal = world.lastRefusal()!;
      assertEquals([response.status, refusal.reason], [401, "client_keys_unavailable"], name);
      assert(refusal.expected?.endsWith(`at the jwks_uri ${jwksUri}`), refusal.expected);
      assert(!`${body}${JSON.stringify(refusal)}`.includes("canary"), name);
      server.answer = () => keySet(["es", keys.es256]);
      await requireAccepted(askAs(world, await assertion(world)));
    });
  }
});

it("jwks_uri: a set may hold keys of other kinds, which the server ignores (RFC 7517 §5)", async ({ world, server }) => {
  const others = [
    { kty: "EC", crv: "secp256k1" },
    { ...keys.rs256.jwk, use: "enc" },
    { kty: "new" },
    7,
    null,
  ];
  server.answer = () => Response.json({ keys: [...others, { ...keys.es256.jwk, kid: "es" }] });
  await requireAccepted(askAs(world, await assertion(world)));
});

test("jwks_uri: jwks beside it, and an address that is not https, are refused at start (RFC 7591 §2, §5)", async () => {
  const create = (changed: object) => () =>
    createServer({ alg: "ES256", clients: [{ ...client, ...changed }] });
  await assertCannotCreate(
    create({ jwks: { keys: [keys.es256.jwk] } }),
    "clients[0].jwks must be left out, because the client has jwks_uri",
  );
  const rows = [
    "http://app.example/jwks",
    "data:application/json,{}",
    "https://u:p@app.example/jwks",
    "http://192.168.1.5/jwks",
    "/jwks",
  ];
  for (const uri of rows) {
    await assertCannotCreate(create({ jwks_uri: uri }), "clients[0].jwks_uri must");
  }
  const options = { jwks_uri: "http://app:3000/jwks", allow_private_http: true };
  await create(options)().close();
  await create({ jwks_uri: "http://localhost:3000/jwks" })().close();
});
