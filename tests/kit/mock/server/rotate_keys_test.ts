/** rotateKeys: what the clients of a mock see, and that it is reproducible. */

import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWK,
  jwtVerify,
} from "jose";
import { thumbprint, unfitForSigning } from "../../../../src/ground/crypto/jwk.ts";
import { importSigningKey, signJwt } from "../../../../src/ground/crypto/jwt.ts";
import { createSeededRandom } from "../../../../src/kit/mock/conditions/seeded_random.ts";
import { createMock, type Mock, type MockOptions } from "../../../../src/kit/mod.ts";
import { deriveSigningJwk } from "../../../../src/kit/mock/conditions/derived_key.ts";
import { isTestKey } from "../../../../src/kit/mock/server/test_keys.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { sampleKey } from "../../../world.ts";

const quick: MockOptions = { alg: "ES256" };

const kidOf = (token: string) => decodeProtectedHeader(token).kid;

async function keySetOf(as: Pick<Mock, "fetch" | "issuer">) {
  return await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json() as Parameters<typeof createLocalJWKSet>[0];
}

/** The keys that sign access tokens. The JWKS also has a key for clients that ask for ID tokens with RS256. */
async function kidsOf(as: Pick<Mock, "fetch" | "issuer">) {
  return (await keySetOf(as)).keys.filter(({ alg }) => alg === "ES256").map(({ kid }) => kid);
}

const it = testUsing(() => createMock(quick));

it("rotateKeys: a client that caches the JWKS meets an unknown kid, and fetches the JWKS again", async (as) => {
  const url = new URL(`${as.issuer}/oauth2/jwks`);
  const keys = createRemoteJWKSet(url, { [customFetch]: as.fetch, cooldownDuration: 0 });
  const cached = createRemoteJWKSet(url, { [customFetch]: as.fetch });
  const before = await as.mint();
  for (const each of [keys, cached]) await jwtVerify(before, each);
  await as.rotateKeys();
  const after = await as.mint();
  assertNotEquals(kidOf(after), kidOf(before));
  await assertRejects(() => jwtVerify(after, cached), errors.JWKSNoMatchingKey);
  for (const token of [after, before]) await jwtVerify(token, keys);
  assertEquals(as.requests.jwks.length, 3);
});

it("rotateKeys: without atOnce the new key is published before it signs", async (as) => {
  as.clock.freeze();
  const old = kidOf(await as.mint());
  await as.rotateKeys({ atOnce: false });
  const kids = await kidsOf(as);
  assertEquals([kids.length, kids.includes(old)], [2, true]);
  as.clock.advance("129s");
  assertEquals(kidOf(await as.mint()), old);
  as.clock.advance("1s");
  const next = kidOf(await as.mint());
  assert(next !== old && kids.includes(next));
});

it("rotateKeys: a token of an old key expires with that key, which leaves the JWKS later", async (as) => {
  const tokens = await as.login("bob");
  await as.rotateKeys();
  await as.rotateKeys();
  assertEquals((await kidsOf(as)).length, 3);
  const expired = await as.expire(tokens);
  assertEquals(kidOf(expired.access_token), kidOf(tokens.access_token));
  await as.endSession(tokens);
  as.clock.advance("30d");
  assertEquals(await kidsOf(as), [kidOf(await as.mint())]);
});

it("rotateKeys: a change of people keeps the new key, another server has its own, and a reset restores the first", async (as) => {
  const acme = as.tenant("acme");
  const first = kidOf(await as.mint());
  await as.rotateKeys();
  const second = kidOf(await as.mint());
  as.people.add({ username: "carol" });
  assertEquals([kidOf(await as.mint()), kidOf(await acme.mint())], [second, first]);
  as.reset();
  assertEquals(await kidsOf(as), [first]);
  await as.close();
  await assertRejects(() => as.rotateKeys(), Error, "disposed of");
});

it("rotateKeys: works before any other call, and at the same time as others", async (as) => {
  await Promise.all([as.rotateKeys(), as.rotateKeys(), as.login("bob")]);
  assertEquals((await kidsOf(as)).length, 3);
  const { keys: [first] } = await keySetOf(as);
  assert(isTestKey(first!));
});

test("rotateKeys: replaces the keys in signingKeys, too", async () => {
  await using as = await createMock({ ...quick, signingKeys: [sampleKey] });
  const before = kidOf(await as.mint());
  assertEquals(before, thumbprint(sampleKey));
  await as.rotateKeys();
  const after = await as.mint();
  assertEquals((await kidsOf(as)).includes(before), true);
  await jwtVerify(after, createLocalJWKSet(await keySetOf(as)));
  assertNotEquals(kidOf(after), before);
});

it("rotateKeys: refuses wrong terms, and keeps the keys", async (as) => {
  const before = await kidsOf(as);
  for (const terms of [{ atonce: true }, { atOnce: "no" }, 7]) {
    await assertRejects(() => as.rotateKeys(terms as object), TypeError, "Cannot rotate keys: ");
  }
  assertEquals(await kidsOf(as), before);
});

test("rotateKeys: with a seed, two runs have the same keys, and the same ids as without a rotation", async () => {
  const run = async (seed = 1) => {
    await using as = await createMock({ ...quick, seed });
    const kids = [kidOf(await as.mint({ withoutPerson: true }))];
    for (let count = 0; count < 2; count++) {
      await as.rotateKeys();
      kids.push(kidOf(await as.mint({ withoutPerson: true })));
    }
    const { access_token, refresh_token } = await as.login("bob");
    await jwtVerify(access_token, createLocalJWKSet(await keySetOf(as)), { currentDate: as.clock.date });
    return { kids, ids: [refresh_token, decodeJwt(access_token).jti] };
  };
  const first = await run();
  assertEquals(await run(), first);
  assertEquals(new Set([...first.kids, ...(await run(2)).kids]).size, 5);
});

/** The keys that the seed 1 gives, on every runtime. RS256 and PS256 have keys of the same kind. */
const derivedKids = {
  ES256: "iRmux1QBuM2AADHHBu3CMq810vuzDxUENt2s0x8ec7o",
  EdDSA: "5jzuJxfwc7Y14OJk-FciKAAntxcuFZ-sHpb3gBO1E6w",
  RS256: "99QIouXV4xF-hEI0cMSYLqTV-9UdhWDa8-aD7ivSX3w",
} as const;

test("deriveSigningJwk: the key for each algorithm is complete, and the octets decide it", async () => {
  for (const alg of ["ES256", "EdDSA", "RS256"] as const) {
    const jwk = deriveSigningJwk(alg, createSeededRandom(1));
    assertEquals(unfitForSigning(jwk, alg), undefined);
    const key = await importSigningKey(jwk, alg);
    await jwtVerify(await signJwt(key, "JWT", {}), createLocalJWKSet({ keys: [key.publicJwk as JWK] }));
    if (alg === "RS256") assertEquals(jwk.n?.length, 342);
    assertEquals(thumbprint(jwk), derivedKids[alg]);
  }
});
