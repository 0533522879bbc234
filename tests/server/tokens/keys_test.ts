/** Signing keys: published before they sign, kept while their tokens live. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import { createRandomBytes } from "../../../src/ground/crypto/bytes.ts";
import { generateSigningJwk } from "../../../src/ground/crypto/jwk.ts";
import { memoryStore, type Store, StoreUnavailable } from "../../../src/mod.ts";
import { loadRotatingKeySet, rotateKeySet } from "../../../src/server/setup/key_set.ts";
import { nextTurn } from "../../../src/server/runtime/real_timer.ts";
import { failingStore } from "../../races/faults.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { createWorld, inWorld, redirectUri, sampleKey, sampleRsaKey, type World } from "../../world.ts";
import { encodePart, headerOf, opensUserinfo, tokensOf } from "./bearer.ts";
import { issuer, kidOf, withKeys } from "./key_world.ts";

const it = testIn(withKeys);

it("keys: a new key is published before it signs, and no unpublished key signs (OpenID Connect Core §10.1.1)", async ({ clock, open }) => {
  const world = open();
  const old = kidOf((await world.tokens()).access_token);
  assertEquals(await world.kids(), [old]);
  await world.rotateKeys();
  const kids = await world.kids();
  assertEquals([kids.length, kids[0]], [2, old]);
  // Clients may cache the list for 60 s, and another server reads it again after 10 s. Clocks differ by up to 60 s.
  for (const seconds of [0, 129, 1]) {
    clock.advance(seconds);
    const { access_token, id_token } = await world.tokens();
    assertEquals(kidOf(access_token), seconds === 1 ? kids[1] : old);
    assertEquals(kidOf(id_token), kidOf(access_token));
  }
});

it("keys: with a store that does not write them, requests fail with an error instead of retrying forever", async ({ store, open }) => {
  const world = open({
    store: { ...store, get: () => Promise.resolve(undefined), put: () => Promise.resolve(undefined) },
  });
  const response = await world.get("/oauth2/jwks");
  assertEquals([response.status, (await response.json()).error], [500, "server_error"]);
  const { facts } = world.journal[0]!;
  assertMatch((facts.fault as Error).message, /rejected the signing keys, .* Check that put\(\) stores/);
  await assertRejects(() => world.rotateKeys(), Error, "rejected the signing keys");
});

it("keys: a rotation while the keys are read again signs with the new key at once (OpenID Connect Core §10.1.1)", async ({ clock, store, open }) => {
  let release: (() => void) | undefined;
  let holds = false;
  const waiting: Store = {
    ...store,
    async get(kind, id, now) {
      const found = await store.get(kind, id, now);
      if (holds && kind.name === "key_set") {
        holds = false;
        await new Promise<void>((resolve) => release = resolve);
      }
      return found;
    },
  };
  const world = open({ store: waiting });
  const old = kidOf((await world.tokens()).access_token);
  await world.kids();
  clock.advance(11);
  holds = true;
  const reading = world.kids();
  while (release === undefined) await nextTurn();
  const rotating = world.rotateKeys({ atOnce: true });
  // The rotation writes its key before the held reading ends.
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  release();
  await Promise.all([reading, rotating]);
  assert(kidOf((await world.tokens()).access_token) !== old);
});

test("keys: if several processes reach the rotation time together, one rotates", async () => {
  const store = memoryStore();
  let now = 1000;
  const [random, algorithms] = [createRandomBytes(), ["EdDSA"]] as const;
  const terms = {
    store,
    algorithms,
    random,
    createJwk: generateSigningJwk,
    publishAhead: 60,
    keepAfter: 600,
    signsFor: 3600,
    now: () => now,
  };
  await loadRotatingKeySet(terms);
  now = 5000;
  const loaded = await Promise.all([1, 2, 3, 4].map(() => loadRotatingKeySet(terms)));
  for (const { signing } of loaded) {
    assertEquals(signing.map((key) => [key.signsFrom, key.publishedUntil]), [[1000, 5660], [
      5060,
      undefined,
    ]]);
  }
});

test("keys: a rotation before the first load retires the keys that the server begins with", async () => {
  const initial = { jwk: sampleKey, alg: "ES256", signsFrom: 1000 } as const;
  const { signing, sealing } = await rotateKeySet({
    ...{ store: memoryStore(), algorithms: ["ES256"], random: createRandomBytes(), now: () => 2000 },
    ...{ publishAhead: 0, keepAfter: 600, createJwk: generateSigningJwk },
    createInitial: () => ({ signing: [initial], sealing: "sealed" }),
  });
  assertEquals([signing.length, signing[0], sealing], [2, { ...initial, publishedUntil: 2600 }, "sealed"]);
});

it("keys: the key of a rotation at once keeps signing when an earlier planned key would begin (OpenID Connect Core §10.1.1)", async ({ clock, open }) => {
  const world = open({ lifetimes: { accessToken: 60, idToken: 60, session: 60 } });
  await world.tokens();
  await world.rotateKeys();
  await world.rotateKeys({ atOnce: true });
  const signedBy = kidOf((await world.tokens()).access_token);
  for (const later of [70, 600]) {
    clock.now += later;
    const { access_token } = await world.tokens();
    assertEquals(kidOf(access_token), signedBy);
    assert((await world.kids()).includes(signedBy));
  }
});

for (const atOnce of [true, false]) {
  it(`keys: tokens of an old key stay valid until they expire, and then the key is removed, atOnce ${atOnce} (OpenID Connect Core §10.1.1)`, async ({ clock, open }) => {
    const world = open({ lifetimes: { accessToken: 600, idToken: 900, session: 60 } });
    const old = kidOf((await world.tokens()).access_token);
    await world.rotateKeys({ atOnce });
    if (!atOnce) clock.advance(129);
    // Without atOnce, the last token that the old key signs.
    const last = await world.tokens();
    assertEquals(kidOf(last.access_token) === old, !atOnce);
    const issued = clock.now;
    await world.rotateKeys({ atOnce: true });
    clock.now = issued + 598;
    assert(await world.opens(last.access_token));
    const options = { currentDate: new Date((issued + 898) * 1000) };
    clock.now = issued + 898;
    await jwtVerify(last.id_token, createLocalJWKSet(await world.keySet()), options);
    clock.now = issued + 1120;
    assertEquals((await world.kids()).includes(kidOf(last.id_token)), false);
    assertEquals((await world.kids()).length, 1);
  });
}

for (const longest of ["accessToken", "idToken", "session"] as const) {
  // An ID token is a hint until the sign-in ends (OpenID Connect RP-Initiated Logout §2).
  it(`keys: an old key is published for the lifetime of ${longest}, if that is the longest (OpenID Connect Core §10.1.1)`, async ({ clock, open }) => {
    const world = open({ lifetimes: { accessToken: 60, idToken: 60, session: 60, [longest]: 3600 } });
    const old = kidOf((await world.tokens()).access_token);
    await world.rotateKeys({ atOnce: true });
    clock.advance(1800);
    // A later rotation changes nothing for a key that has ended before.
    await world.rotateKeys({ atOnce: true });
    clock.advance(1800);
    assert((await world.kids()).includes(old));
    clock.advance(600);
    assertEquals((await world.kids()).includes(old), false);
  });
}

it("keys: after three rotations only keys with possibly valid tokens are left (OpenID Connect Core §10.1.1)", async ({ clock, store, open }) => {
  const world = open({ lifetimes: { accessToken: 60, idToken: 60, session: 60 } });
  for (let turn = 0; turn < 3; turn++) {
    await world.rotateKeys({ atOnce: true });
    clock.now += 240;
    const { access_token } = await world.tokens();
    assert(await world.opens(access_token));
  }
  assertEquals((await world.kids()).length, 1);
  await world.rotateKeys({ atOnce: true });
  assertEquals((await storedAlgorithms(store)).sort(), ["ES256", "ES256", "RS256", "RS256"]);
});

it("keys: with several algorithms, each client's ID tokens have the client's own (OpenID Connect Discovery §3)", async ({ clock, open }) => {
  const algorithms = ["ES256", "EdDSA", "RS256"] as const;
  const clients = algorithms.map((alg) => ({
    client_id: alg,
    redirect_uris: [redirectUri],
    id_token_signed_response_alg: alg,
  }));
  const world = open({ clients, alg: "ES256" });
  for (const rotated of [false, true]) {
    if (rotated) await world.rotateKeys({ atOnce: true });
    const keySet = await world.keySet();
    assertEquals(keySet.keys.length, rotated ? 6 : 3);
    assertEquals(new Set(keySet.keys.map(({ kid }) => kid)).size, keySet.keys.length);
    for (const { use, d, p, k } of keySet.keys) {
      assertEquals([use, d, p, k], ["sig", undefined, undefined, undefined]);
    }
    for (const alg of algorithms) {
      const { id_token, access_token } = await world.tokens(alg);
      assertEquals([headerOf(id_token)["alg"], headerOf(access_token)["alg"]], [alg, "ES256"]);
      const terms = { issuer, audience: alg, algorithms: [alg], currentDate: new Date(clock.now * 1000) };
      await jwtVerify(id_token, createLocalJWKSet(keySet), terms);
    }
  }
});

it("keys: a rotation after a failed load gives a key that signs immediately (OpenID Connect Core §10.1.1)", async ({ store, open }) => {
  const failing = failingStore(store, { call: 1, when: "before", error: new StoreUnavailable("busy") });
  const world = open({ store: failing.store });
  // The load at the start of the server fails in this turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert(failing.hasStruck());
  await world.rotateKeys();
  assert(await world.opens((await world.tokens()).access_token));
});

it("keys: while the store fails, the loaded keys stay published, and a token of no key is refused", async ({ clock, store, open }) => {
  let fails = false;
  const get: Store["get"] = (...asked) =>
    fails ? Promise.reject(new StoreUnavailable("busy")) : store.get(...asked);
  const world = open({ store: { ...store, get } });
  const before = await world.kids();
  fails = true;
  clock.advance(11);
  assertEquals(await world.kids(), before);
  const token = `${encodePart({ alg: "ES256", kid: "unknown", typ: "at+jwt" })}.${encodePart({})}.AAAA`;
  const answer = await world.get("/userinfo", { authorization: `Bearer ${token}` });
  assertEquals([answer.status, (await answer.json()).error], [401, "invalid_token"]);
});

test("keys: configured keys cannot be rotated, and the error says so (OpenID Connect Core §10.1.1)", () =>
  inWorld({}, async (world) => {
    await assertRejects(
      () => world.rotateKeys(),
      TypeError,
      "Cannot rotate keys: they were given as signingKeys",
    );
  }));

it("keys: with a lifetime they rotate automatically (OpenID Connect Core §10.1.1)", async ({ clock, open }) => {
  const world = open({ lifetimes: { signingKey: 3600 } });
  const old = await world.kids();
  clock.advance(3590);
  assertEquals(await world.kids(), old);
  // After 10 s the server reads the keys again.
  clock.advance(10);
  // The server may rotate after the answer.
  await world.kids();
  await new Promise((resolve) => setTimeout(resolve, 0));
  const kids = await world.kids();
  assertEquals([kids.length, kids[0]], [2, old[0]]);
  clock.advance(130);
  assertEquals(kidOf((await world.tokens()).access_token), kids[1]);
});

it("keys: when the clock is set back, the first key signs, also after a restart (OpenID Connect Core §10.1.1)", async ({ clock, open }) => {
  const before = open();
  const [kid] = await before.kids();
  clock.now -= 3600;
  assertEquals(kidOf((await before.tokens()).access_token), kid);
  await before.close();
  const after = open();
  const { access_token, id_token } = await after.tokens();
  assertEquals([kidOf(access_token), kidOf(id_token)], [kid, kid]);
  assert(await after.opens(access_token));
});

it("keys: after the clock is set back, a new key is still published before it signs (OpenID Connect Core §10.1.1)", async ({ clock, open }) => {
  const world = open();
  const old = kidOf((await world.tokens()).access_token);
  clock.now -= 3600;
  await world.rotateKeys();
  const kids = await world.kids();
  assertEquals([kids.length, kids[0]], [2, old]);
  assertEquals(kidOf((await world.tokens()).access_token), old);
  clock.now += 150;
  assertEquals(kidOf((await world.tokens()).access_token), kids[1]);
});

it("keys: a server whose clock is set back follows another server's rotation immediately (OpenID Connect Core §10.1.1)", async ({ clock, open }) => {
  const [one, other] = [open(), open()];
  await Promise.all([one.kids(), other.kids()]);
  clock.now -= 3600;
  await one.rotateKeys({ atOnce: true });
  assertEquals(await other.kids(), await one.kids());
});

/** OpenID Connect Discovery §3, Core §15.1. */
for (const alg of ["PS256", "EdDSA"] as const) {
  it(`keys: with ${alg} as default, RS256 is announced for ID tokens and has a key (OpenID Connect Discovery §3)`, async ({ store, open }) => {
    const world = open({ alg });
    const { access_token, id_token } = await world.tokens();
    assertEquals([headerOf(access_token)["alg"], headerOf(id_token)["alg"]], [alg, alg]);
    // Making an RSA key is slow, and no client has needed one yet.
    assertEquals(await storedAlgorithms(store), [alg]);
    assertEquals(await idTokenAlgorithms(world), [alg, "RS256"]);
    const published = (await world.keySet()).keys.map((key) => key.alg);
    assertEquals(published.sort(), ["RS256", alg].sort());
    assertEquals((await storedAlgorithms(store)).sort(), ["RS256", alg].sort());
  });
}

it("keys: servers on one store that get requests for their lists together make one RS256 key (OpenID Connect Discovery §3)", async ({ open }) => {
  const lists = await Promise.all([open(), open(), open()].map((world) => world.keySet()));
  assertEquals(new Set(lists.map((list) => JSON.stringify(list))).size, 1);
  assertEquals(lists[0]!.keys.map(({ alg }) => alg).sort(), ["ES256", "RS256"]);
});

test("keys: with configured keys, RS256 is announced only if one of them can sign it (OpenID Connect Discovery §3)", async () => {
  const given = [
    [[sampleKey], ["ES256"]],
    [[sampleKey, sampleRsaKey], ["ES256", "RS256"]],
    [[sampleKey, { ...sampleRsaKey, alg: "PS256" }], ["ES256"]],
  ] as const;
  for (const [signingKeys, algorithms] of given) {
    await using world = createWorld({ signingKeys });
    assertEquals(await idTokenAlgorithms(world), algorithms);
    const { keys } = await (await world.get("/oauth2/jwks")).json();
    assertEquals(keys.length, signingKeys.length);
  }
});

test("keys: one RSA key for two algorithms signs with each, also after the keys are read again (RFC 7515 §4.1.1)", async () => {
  const signingKeys = ["RS256", "PS256"].map((alg) => ({ ...sampleRsaKey, alg }));
  await using world = createWorld({
    ...{ alg: "PS256", signingKeys },
    clients: [{ client_id: "public", redirect_uris: [redirectUri], id_token_signed_response_alg: "RS256" }],
  });
  for (let reads = 0; reads < 3; reads++) {
    const { access_token, id_token } = await tokensOf(world, { scope: "openid" });
    assertEquals([headerOf(access_token)["alg"], headerOf(id_token)["alg"]], ["PS256", "RS256"]);
    assert(await opensUserinfo(world, access_token));
    world.clock.advance(11);
  }
});

async function idTokenAlgorithms(world: World): Promise<unknown> {
  const metadata = await (await world.get("/.well-known/openid-configuration")).json();
  return metadata["id_token_signing_alg_values_supported"];
}

async function storedAlgorithms(store: Store): Promise<string[]> {
  for await (const { value } of store.list!<{ readonly signing: { alg: string }[] }>({ name: "key_set" })) {
    return value.signing.map(({ alg }) => alg);
  }
  return [];
}
