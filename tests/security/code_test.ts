/** The life of an authorization code: issuing, one redemption, replays and expiry. */

import { assertEquals, assertThrows } from "@std/assert";
import { createRandomBytes } from "../../src/ground/crypto/bytes.ts";
import { createServer } from "../../src/mod.ts";
import { createId, createSecret } from "../../src/server/oauth/secrets/credential.ts";
import { grants } from "../../src/server/oauth/contracts/grant.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { basic, createWorld, type Params, redirectUri } from "../world.ts";
import { countingStore, valuesOf } from "./counting_store.ts";
import { readRefusal } from "./site.ts";

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`code: a second redemption revokes the tokens of the first, ${accessTokens} (OAuth 2.1 §4.1.3)`, async () => {
    const store = memoryStore();
    await using world = createWorld({ store, accessTokens });
    const code = await world.code();
    assertEquals((await world.redeem(code)).status, 200);
    assertEquals((await valuesOf(store, grants)).map(({ status }) => status), ["active"]);
    world.clock.advance(30);
    assertEquals(await readRefusal(await world.redeem(code)), "400 invalid_grant");
    assertEquals(world.lastRefusal()?.reason, "code_replayed");
    // Every check of a token reads its grant, so revoking the grant revokes all its tokens.
    assertEquals((await valuesOf(store, grants)).map(({ status }) => status), ["revoked"]);
    assertEquals(await readRefusal(await world.redeem(code)), "400 invalid_grant");
    assertEquals(world.lastRefusal()?.reason, "code_revoked");
  });
}

const otherVerifier = "v".repeat(43);
const basicSecret = "basic secret: a+b%c";

test("code: an invalid replay revokes nothing (OAuth 2.1 §7.5.3)", async () => {
  const store = countingStore();
  await using world = createWorld({ store });
  const code = await world.code();
  assertEquals((await world.redeem(code)).status, 200);
  store.forget();
  const wrong: readonly Params[] = [
    { code_verifier: otherVerifier },
    { code_verifier: undefined },
    { redirect_uri: `${redirectUri}/x` },
    { redirect_uri: undefined },
    { client_id: "post", client_secret: "post-secret" },
    { resource: "https://api.example/" },
    { scope: "write" },
    { code: `${code.split(".")[0]}.${"A".repeat(43)}` },
  ];
  for (const changed of wrong) assertEquals((await world.redeem(code, changed)).status, 400);
  assertEquals(store.writes, []);
  assertEquals((await valuesOf(store, grants)).map(({ status }) => status), ["active"]);
});

const others = [
  ["a public client", { client_id: "other" }, {}],
  ["a client with a right Basic secret", { client_id: undefined }, basic("basic", basicSecret)],
  ["a client with a right secret in the body", { client_id: "post", client_secret: "post-secret" }, {}],
] as const;
for (const [who, changed, headers] of others) {
  test(`code: ${who} cannot redeem another client's code, and its own client still can (OAuth 2.1 §4.1.3)`, async () => {
    const clients = [
      { client_id: "public", redirect_uris: [redirectUri] },
      { client_id: "other", redirect_uris: [redirectUri] },
      { client_id: "basic", client_secret: basicSecret, redirect_uris: [redirectUri] },
      {
        client_id: "post",
        client_secret: "post-secret",
        token_endpoint_auth_method: "client_secret_post",
        redirect_uris: [redirectUri],
      },
    ];
    await using world = createWorld({ clients });
    const code = await world.code();
    assertEquals(await readRefusal(await world.redeem(code, changed, headers)), "400 invalid_grant");
    assertEquals(world.lastRefusal()?.reason, "code_of_another_client");
    assertEquals((await world.redeem(code)).status, 200);
  });
}

const it = testInWorld({});

it("code: a wrong verifier from another client revokes nothing", async (world) => {
  const code = await world.code();
  const changed = { client_id: "post", client_secret: "post-secret", code_verifier: otherVerifier };
  assertEquals((await world.redeem(code, changed)).status, 400);
  const elsewhere = { redirect_uri: "https://evil.example/cb", code_verifier: otherVerifier };
  assertEquals((await world.redeem(code, elsewhere)).status, 400);
  assertEquals((await world.redeem(code)).status, 200);
});

test("code: issued in the middle of a second, it lives no longer than its lifetime", async () => {
  const started = 1_800_000_000.9;
  for (const [elapsed, status] of [[59, 200], [60, 400]] as const) {
    let now = started;
    await using world = createWorld({ lifetimes: { code: 60 }, now: () => now });
    const code = await world.code();
    now = started + elapsed;
    assertEquals((await world.redeem(code)).status, status);
  }
});

test("code: the configured lifetime of a code is above zero and at most ten minutes", () => {
  for (const code of [601, 0, -1, 1.5, Infinity, NaN, "300"]) {
    assertThrows(() => createServer({ lifetimes: { code: code as number } }), TypeError, "lifetimes.code");
  }
});

test("codes: secrets have 256 bits of their own, and ids of grants 128 (RFC 6749 §10.10)", () => {
  const random = createRandomBytes();
  for (const [create, pattern] of [[createSecret, /^[\w-]{43}$/], [createId, /^[\w-]{22}$/]] as const) {
    const texts = Array.from({ length: 1000 }, () => create(random));
    assertEquals(texts.filter((text) => !pattern.test(text)), []);
    // Neither a clock nor a counter is in them: any ten characters at one place are new.
    for (const place of [0, 10]) {
      assertEquals(new Set(texts.map((text) => text.slice(place, place + 10))).size, texts.length);
    }
  }
});

it("code: a code is an id, a dot and a secret (OAuth 2.1 §4.1.2)", async (world) => {
  const codes = [await world.code(), await world.code()];
  assertEquals(codes.filter((code) => !/^[\w-]{22}\.[\w-]{43}$/.test(code)), []);
  const [first, second] = codes.map((code) => code.split("."));
  assertEquals(first!.filter((half) => second!.includes(half)), []);
});

test("first use: after thirty unused days the id of a client is free again, and its old codes are refused", async () => {
  const days = 24 * 3600;
  const newcomer = { client_id: "newcomer", redirect_uri: "http://127.0.0.1:4000/cb" };
  const stranger = { client_id: "newcomer", redirect_uri: "http://127.0.0.1:4000/other" };
  await using world = createWorld({ firstUse: true });
  assertEquals((await world.authorize(newcomer)).status, 303);
  world.clock.advance(30 * days - 1);
  assertEquals((await world.authorize(stranger)).status, 400);
  const code = await world.code(newcomer);
  world.clock.advance(1);
  assertEquals((await world.authorize(stranger)).status, 303);
  assertEquals((await world.redeem(code, newcomer)).status, 400);
  assertEquals(world.lastRefusal()?.reason, "code_of_another_client");
});
