/** Access tokens: their claims, their signatures, and the published keys (RFC 9068). */

import { assertEquals, assertMatch } from "@std/assert";
import { createHash, generateKeyPairSync } from "node:crypto";
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import { keysFor } from "../../keys.ts";
import { memoryStore, type ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { createKeySource } from "../tokens/key_world.ts";
import { ed25519Thumbprint, es256Thumbprint } from "../../vectors.ts";
import { createWorld, inWorld, sampleKey, type World, worldDefaults } from "../../world.ts";
import { assertCannotCreate, assertTokens } from "./refusals.ts";

const it = testWith();

const { signingKeys: _fixed, ...withoutKey } = worldDefaults;

async function accessToken(world: World, changed: Parameters<World["code"]>[0] = {}): Promise<string> {
  return String((await assertTokens(await world.redeem(await world.code(changed))))["access_token"]);
}

async function keySet(world: World): Promise<JSONWebKeySet> {
  return await (await world.get("/oauth2/jwks")).json();
}

function verify(world: World, token: string, keys: JSONWebKeySet) {
  return jwtVerify(token, createLocalJWKSet(keys), {
    typ: "at+jwt",
    issuer: world.issuer,
    audience: world.issuer,
    currentDate: new Date(world.clock.now * 1000),
  });
}

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

const algorithms: readonly (readonly [alg: NonNullable<ServerOptions["alg"]>, members: readonly string[]])[] =
  [["PS256", ["e", "kty", "n"]], ["ES256", ["crv", "kty", "x", "y"]], ["EdDSA", ["crv", "kty", "x"]]];

const generating: ServerOptions = {
  clients: worldDefaults.clients!,
  login: "auto",
  issuer: "https://as.test",
};

const signers: Readonly<Record<string, readonly [options: ServerOptions, members: readonly string[]]>> = {
  "RS256, the default, with a generated key": [generating, ["e", "kty", "n"]],
  ...Object.fromEntries(
    algorithms.map((
      [alg, members],
    ) => [alg, [{ ...generating, alg, signingKeys: keysFor([alg]) }, members]]),
  ),
};

for (const [name, [options, members]] of Object.entries(signers)) {
  test(`access token: ${name} signs it, and the published key verifies it (OpenID Connect Discovery §3; RFC 9068 §2.1)`, () =>
    inWorld(options, async (world) => {
      const { alg = "RS256" } = options;
      const keys = await keySet(world);
      const token = await accessToken(world);
      const { protectedHeader, payload } = await verify(world, token, keys);
      const [key, ...others] = keys.keys;
      assertEquals(protectedHeader, { alg, typ: "at+jwt", kid: key!.kid! });
      assertEquals(others, []);
      assertEquals(Object.keys(key!).sort(), [...members, "alg", "kid", "use"].sort());
      assertEquals([key!.alg, key!.use], [alg, "sig"]);
      assertEquals(privateMembers.filter((member) => member in key!), []);
      if (key!.n !== undefined) assertEquals(Uint8Array.from(atob(fromUrl(key!.n)), octet).byteLength, 256);
      assertEquals(payload.iss, world.issuer);
    }, {}));
}

const fromUrl = (text: string) => text.replaceAll("-", "+").replaceAll("_", "/");
const octet = (character: string) => character.charCodeAt(0);

it("access token: has the claims of RFC 9068 with the right types (OAuth 2.1 §7.1.3)", async ({ world }) => {
  world.clock.advance(0.75);
  const claims = decodeJwt(await accessToken(world, { scope: "read write" }));
  const issuedAt = Math.floor(world.clock.now);
  const { jti, ...rest } = claims;
  assertEquals(rest, {
    iss: "https://as.test",
    sub: "alice",
    aud: "https://as.test",
    client_id: "public",
    scope: "read write",
    auth_time: issuedAt,
    iat: issuedAt,
    exp: issuedAt + 3600,
  });
  assertMatch(jti!, /^[\w-]{22}\.[\w-]{16}$/);
});

test("access token: expires after expires_in seconds (OAuth 2.1 §3.2.3)", () =>
  inWorld({ lifetimes: { accessToken: 60 } }, async (world) => {
    const keys = await keySet(world);
    const token = await accessToken(world);
    world.clock.advance(59);
    await verify(world, token, keys);
    world.clock.advance(1);
    const verdict = await verify(world, token, keys).then(() => "valid", (error) => error.code);
    assertEquals(verdict, "ERR_JWT_EXPIRED");
  }));

test("access token: an opaque one has no readable claims, and the store has only its hash (OAuth 2.1 §7.7)", async () => {
  const store = memoryStore();
  await using world = createWorld({ accessTokens: "opaque", store });
  const token = await accessToken(world);
  assertMatch(token, /^[\w-]{22}\.[\w-]{43}$/);
  const [id = "", secret = ""] = token.split(".");
  const entry = await store.get<Record<string, unknown>>({ name: "access_token" }, id, world.clock.now);
  const { claims, secretHash, ...rest } = entry!.value;
  assertEquals(rest, {});
  assertEquals(secretHash, createHash("sha256").update(secret).digest("base64url"));
  const { jti, ...others } = claims as Record<string, unknown>;
  assertMatch(String(jti), /^[\w-]{22}\.[\w-]{16}$/);
  // The claims are the same as those of a JWT.
  assertEquals(others, {
    iss: "https://as.test",
    sub: "alice",
    aud: "https://as.test",
    client_id: "public",
    scope: "read",
    auth_time: world.clock.now,
    iat: world.clock.now,
    exp: world.clock.now + 3600,
  });
  assertEquals(JSON.stringify(entry).includes(secret), false);
  assertEquals(await store.get({ name: "access_token" }, id, world.clock.now + 3720), undefined);
});

test("key set: a key is published without its private member, and its kid is its thumbprint (RFC 7638)", () => {
  const { jwk, thumbprint } = es256Thumbprint;
  return inWorld({ signingKeys: [{ ...jwk, alg: "ES256" }] }, async (world) => {
    const keys = await keySet(world);
    const { d: _private, ...publicMembers } = jwk;
    const published = { ...publicMembers, kid: thumbprint, alg: "ES256", use: "sig" };
    assertEquals(keys.keys[0], published as typeof keys.keys[0]);
    await verify(world, await accessToken(world), keys);
  });
});

it("key set: is cacheable JSON that scripts of any origin may read (RFC 7517 §8.5)", async ({ world }) => {
  const response = await world.get("/oauth2/jwks");
  assertEquals(response.headers.get("content-type"), "application/jwk-set+json");
  assertMatch(response.headers.get("cache-control")!, /^public, max-age=60$/);
  assertEquals(response.headers.get("pragma"), null);
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(Object.keys(await response.json()), ["keys"]);
});

test("key set: two servers on one store that start together have one key (OpenID Connect Discovery §3)", async () => {
  const store = memoryStore();
  const keySource = createKeySource();
  const worlds = [
    createWorld({ store, keySource }, withoutKey),
    createWorld({ store, keySource }, withoutKey),
  ] as const;
  const [one, other] = [await keySet(worlds[0]), await keySet(worlds[1])];
  assertEquals(one, other);
  await verify(worlds[1], await accessToken(worlds[0]), other);
  await Promise.all(worlds.map((world) => world.close()));
});

const shortKey = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ format: "jwk" });

const { d: _d, ...publicSample } = sampleKey;
const missing = (alg: string) =>
  `signingKeys must hold a key for ${alg}, because the server or a client is configured to use it`;
const misfit = (sentence: string) => `signingKeys[0] does not fit: ${sentence}`;
const noPrivate = misfit("a signing key needs its private member d");
const noSigner =
  "signingKeys[0] must be a key for one of RS256, PS256, ES256, EdDSA, and its alg must be this one";

const unfit: readonly (readonly [
  name: string,
  alg: "RS256" | "PS256" | "ES256" | "EdDSA",
  key: JsonWebKey,
  sentence: string,
])[] = [
  [
    "an RSA key of 1024 bits",
    "RS256",
    shortKey as JsonWebKey,
    misfit("RS256 needs an RSA key of 2048 bits or more"),
  ],
  ["a key of another kind", "RS256", sampleKey, missing("RS256")],
  [
    "a key of another curve",
    "ES256",
    { ...sampleKey, crv: "P-384" },
    misfit('ES256 needs a key with kty "EC" and crv "P-256"'),
  ],
  ["a public key", "ES256", publicSample, noPrivate],
  [
    "a key for key agreement",
    "EdDSA",
    { ...ed25519Thumbprint.jwk, crv: "X25519" },
    misfit('EdDSA needs a key with kty "OKP" and crv "Ed25519"'),
  ],
  ["a shared secret", "ES256", { kty: "oct", k: "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T" }, noSigner],
];

for (const [name, alg, key, sentence] of unfit) {
  test(`signing key: ${name} is refused for ${alg} at start (RFC 7518 §3.3)`, () => {
    return assertCannotCreate(() => createWorld({ alg, signingKeys: [key] }), sentence);
  });
}

test("signing key: each of several keys must fit (RFC 7518 §3.3)", () =>
  assertCannotCreate(
    () => createWorld({ alg: "ES256", signingKeys: [sampleKey, publicSample] }),
    "signingKeys[1] does not fit: a signing key needs its private member d",
  ));
