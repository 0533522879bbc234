/** The published test keys: each signs a whole flow, is recognized, and is given only if asked for. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import {
  generateSigningJwk,
  type Jwk,
  thumbprint,
  unfitForSigning,
} from "../../../../src/ground/crypto/jwk.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../../../../src/ground/crypto/platform.ts";
import {
  createTestKeySource,
  isTestKey,
  listTestKeys,
  testKeysFor,
} from "../../../../src/kit/mock/server/test_keys.ts";
import { foreignRsa } from "../../../../src/kit/faults/foreign_keys.ts";
import { publishedKeyFor } from "../../../../src/kit/mock/misbehaving/published_keys.ts";
import { test } from "../../../runner.ts";
import { inWorld, sampleKey, type World } from "../../../world.ts";

async function keySet(world: World): Promise<JSONWebKeySet> {
  return await (await world.get("/oauth2/jwks")).json();
}

async function requireVerified(world: World, alg: SigningAlgorithm): Promise<void> {
  const response = await world.redeem(await world.code({ scope: "openid read" }));
  const tokens = await response.json();
  const published = createLocalJWKSet(await keySet(world));
  const terms = { issuer: world.issuer, currentDate: new Date(world.clock.now * 1000) };
  for (const [name, typ] of [["access_token", "at+jwt"], ["id_token", "JWT"]] as const) {
    const { protectedHeader } = await jwtVerify(tokens[name], published, terms);
    assertEquals([name, protectedHeader.alg, protectedHeader.typ], [name, alg, typ]);
  }
}

for (const alg of signingAlgorithms) {
  test(`test keys: the tokens of a code flow with ${alg} verify with the published keys`, async () => {
    const given = testKeysFor([alg]);
    assertEquals(given.map((jwk) => [jwk.alg, unfitForSigning(jwk, alg)]), [[alg, undefined]]);
    await inWorld({ signingKeys: given, alg }, async (world) => {
      await requireVerified(world, alg);
      assertEquals((await keySet(world)).keys.map((jwk) => jwk.alg), [alg]);
    });
    // With all of them given, it signs with its own.
    await inWorld({ signingKeys: listTestKeys(), alg }, (world) => requireVerified(world, alg));
  });
}

test("test keys: each has a kid of its own, and no private member is published", () =>
  inWorld({ signingKeys: listTestKeys() }, async (world) => {
    const { keys } = await keySet(world);
    assertEquals(keys.map((jwk) => jwk.alg), [...signingAlgorithms]);
    assertEquals(new Set(keys.map((jwk) => jwk.kid)).size, signingAlgorithms.length);
    for (const jwk of keys) assertEquals([jwk.d, jwk.p, jwk.q], [undefined, undefined, undefined]);
    assertEquals(keys.map(isTestKey), keys.map(() => true));
  }));

test("test keys: with a seed, each algorithm and each rotation has a key of its own (RFC 7517 §4.5)", async () => {
  const { createJwk } = createTestKeySource("a seed", undefined);
  const made: Jwk[] = [];
  for (const alg of [...signingAlgorithms, ...signingAlgorithms]) made.push(await createJwk!(alg, false));
  assertEquals(new Set(made.map(thumbprint)).size, 2 * signingAlgorithms.length);
});

/** The keys that faults publish. */
const published = [
  "hs256_alg_unpublished",
  "kid_missing",
  "key_use_enc",
  "key_operations_other",
  "key_alg_other",
  "key_alg_signatures",
  "key_replaced",
  "key_withdrawn",
] as const;

test("test keys: two RSA keys, also those of faults and of a foreign server, share one prime number at most", () => {
  const faulty = published.map((name) => publishedKeyFor(name, "RS256"));
  const primes = [...listTestKeys(), ...faulty, foreignRsa].filter((jwk) => "p" in jwk).map((
    { p, q },
  ) => [p, q]);
  assertEquals(primes.length, published.length + 3);
  for (const [at, one] of primes.entries()) {
    for (const other of primes.slice(at + 1)) assert(new Set([...one, ...other]).size > 2, one.join());
    assertNotEquals(one[0], one[1]);
  }
});

test("test keys: are the same in every version", () =>
  inWorld({ signingKeys: testKeysFor(["RS256"]), alg: "RS256" }, async (world) => {
    const { access_token } = await (await world.redeem(await world.code())).json();
    const { kid } = decodeProtectedHeader(access_token);
    assertEquals(kid, "ACg69Ubqnu2U1p9QzGuN8Qp97ZOrygqlUrngovZhYKM");
  }));

test("test keys: gives those that are asked for, in that order", () => {
  const asked = testKeysFor(["EdDSA", "RS256"]);
  assertEquals(asked.map((jwk) => jwk.alg), ["EdDSA", "RS256"]);
  assertEquals(testKeysFor([]), []);
});

test("test keys: are recognized whole, and by their public members", () => {
  for (const jwk of listTestKeys()) {
    const { kty, n, x } = jwk;
    assertEquals(isTestKey(jwk), true);
    assertEquals(isTestKey(kty === "RSA" ? { kty, n: n! } : { kty: kty!, x: x! } as const), true);
  }
});

test("test keys: no other key is recognized as one", async () => {
  assertEquals(isTestKey(sampleKey), false);
  assertEquals(isTestKey({}), false);
  for (const kty of ["RSA", "EC", "OKP", "oct"]) assertEquals(isTestKey({ kty }), false);
  for (const alg of ["ES256", "EdDSA"] as const) {
    assertEquals(isTestKey(await generateSigningJwk(alg)), false);
  }
  const [eddsa] = testKeysFor(["EdDSA"]);
  assertEquals(isTestKey({ kty: "EC", x: eddsa!.x! }), false);
});
