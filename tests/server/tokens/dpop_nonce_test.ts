/** Nonces of DPoP, which the server computes and does not store (RFC 9449 §8, §9). */

import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { memoryStore } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld, type World } from "../../world.ts";
import { assertRefused, readTokens, refresh, refusalOf } from "./bearer.ts";
import { callUserinfo, createProofKey, proof } from "./dpop.ts";

const key = await createProofKey();
const required = { dpop: { nonces: "required" } } as const;
const rotating = { dpop: { nonces: "rotating" } } as const;

function nonceOf(response: Response): string {
  return response.headers.get("dpop-nonce") ?? "";
}

/** Returns the nonce that the server demands. */
async function challenge(world: World): Promise<string> {
  return nonceOf(await world.redeem("x", {}, await proof(key, world)));
}

for (const [name, options] of Object.entries({ required, rotating })) {
  test(`dpop nonce: ${name}: a proof without the nonce is refused, and the code can still be used (RFC 9449 §8)`, () =>
    inWorld(options, async (world) => {
      const code = await world.code();
      const response = await world.redeem(code, {}, await proof(key, world));
      assertEquals([response.status, (await response.json()).error], [400, "use_dpop_nonce"]);
      assertEquals(world.lastRefusal()?.reason, "dpop_nonce_missing");
      const nonce = nonceOf(response);
      // RFC 9449 §8.1: one header with 1*NQCHAR.
      assertMatch(nonce, /^[\x21\x23-\x5b\x5d-\x7e]+$/);
      assertEquals(nonce.includes(","), false);
      // The last one has more octets than characters.
      for (const end of ["x", " ", "\u00ad"]) {
        const wrong = world.redeem(code, {}, await proof(key, world, { nonce: nonce + end }));
        await assertRefused(world, wrong, "400 use_dpop_nonce dpop_nonce_wrong");
      }
      const tokens = await readTokens(await world.redeem(code, {}, await proof(key, world, { nonce })));
      // A nonce stays necessary.
      const again = (headers: HeadersInit) =>
        refresh(world, tokens.refresh_token, { client_id: "public" }, headers);
      await assertRefused(world, again(await proof(key, world)), "400 use_dpop_nonce dpop_nonce_missing");
      assertEquals((await again(await proof(key, world, { nonce }))).status, 200);
    }));

  test(`dpop nonce: ${name}: the answer is not cached, and scripts can read the nonce (RFC 9449 §8.2)`, () =>
    inWorld(options, async (world) => {
      const response = await world.redeem("x", {}, {
        ...await proof(key, world),
        origin: "https://app.example",
      });
      assertEquals(response.headers.get("cache-control"), "no-store");
      assertMatch(response.headers.get("access-control-expose-headers")!, /(^|, )dpop-nonce(,|$)/);
    }));

  test(`dpop nonce: ${name}: it is valid in its minute and the next one (RFC 9449 §8.2)`, () =>
    inWorld(options, async (world) => {
      world.clock.now = 1_800_000_000 - 1_800_000_000 % 60;
      const nonce = await challenge(world);
      const use = async () => {
        const response = await world.redeem("x", {}, await proof(key, world, { nonce }));
        return [(await response.json()).error, nonceOf(response) !== ""];
      };
      assertEquals(await use(), ["invalid_grant", name === "rotating"]);
      world.clock.advance(119);
      // RFC 9449 §8.2: the answer has the next nonce, although the old one is accepted.
      assertEquals(await use(), ["invalid_grant", true]);
      world.clock.advance(1);
      assertEquals(await use(), ["use_dpop_nonce", true]);
    }));

  test(`dpop nonce: ${name}: userinfo demands it with 401 and the scheme DPoP (RFC 9449 §9)`, () =>
    inWorld(options, async (world) => {
      const nonce = await challenge(world);
      const code = await world.code({ scope: "openid" });
      const { access_token } = await readTokens(
        await world.redeem(code, {}, await proof(key, world, { nonce })),
      );
      const response = await callUserinfo(key, world, access_token);
      assertEquals([response.status, (await response.json()).error], [401, "use_dpop_nonce"]);
      assertMatch(response.headers.get("www-authenticate")!, /^DPoP .*error="use_dpop_nonce"/);
      const answer = await callUserinfo(key, world, access_token, { nonce: nonceOf(response) });
      assertEquals([answer.status, nonceOf(answer) !== ""], [200, name === "rotating"]);
    }));
}

const it = testInWorld(required);

it("dpop nonce: it is valid for its window, two before it for clocks that differ, and three after it (RFC 9449 §8)", async (world) => {
  const begin = 1_800_000_000;
  world.clock.now = begin;
  const nonce = await challenge(world);
  for (const later of [-61, -60, -31, -30, -1, 0, 29, 30, 59, 60, 89, 90, 119, 120]) {
    world.clock.now = begin + later;
    const response = await world.redeem("x", {}, await proof(key, world, { nonce }));
    const { error } = await response.json();
    assertEquals(error, later < -60 || later >= 120 ? "use_dpop_nonce" : "invalid_grant", `${later}`);
    // RFC 9449 §8.2: the next nonce is in the answer as soon as there is one.
    assertEquals(nonceOf(response) !== "", later < 0 || later >= 30, `${later}`);
  }
});

test("dpop nonce: rotating: each answer has a new one (RFC 9449 §8.2)", () =>
  inWorld(rotating, async (world) => {
    const nonces = new Set<string>();
    let nonce = await challenge(world);
    for (let count = 0; count < 3; count++) {
      nonces.add(nonce);
      const response = await world.redeem(await world.code(), {}, await proof(key, world, { nonce }));
      assertEquals(response.status, 200);
      nonce = nonceOf(response);
    }
    assertEquals(nonces.size, 3);
  }));

it("dpop nonce: it is not that of another minute or another server (RFC 9449 §8)", async (world) => {
  const nonces = [await challenge(world)];
  world.clock.advance(60);
  nonces.push(await challenge(world));
  await inWorld({ ...required, issuer: "https://other.test" }, async (other) => {
    nonces.push(await challenge(other));
    const [ours] = nonces;
    const refused = other.redeem("x", {}, await proof(key, other, { nonce: ours! }));
    assertEquals((await refusalOf(other, refused))[2], "dpop_nonce_wrong");
  });
  assertEquals(new Set(nonces).size, 3);
});

it("dpop nonce: a nonce that is no text is refused (RFC 9449 §8.1)", async (world) => {
  for (const nonce of [1, "", null, ["x"], "x".repeat(5000)]) {
    const refused = world.redeem("x", {}, await proof(key, world, { claims: { nonce } }));
    await assertRefused(world, refused, "400 use_dpop_nonce dpop_nonce_wrong");
  }
});

it("dpop nonce: one that only ends like that of the server is refused (RFC 9449 §8)", async (world) => {
  const nonce = `x${await challenge(world)}`;
  const refused = world.redeem("x", {}, await proof(key, world, { nonce }));
  await assertRefused(world, refused, "400 use_dpop_nonce dpop_nonce_wrong");
});

it("dpop nonce: a wrong proof is refused before its nonce is read (RFC 9449 §4.3)", async (world) => {
  const refused = world.redeem("x", {}, await proof(key, world, { method: "GET" }));
  await assertRefused(world, refused, "400 invalid_dpop_proof dpop_method");
});

test("dpop nonce: off: no answer has one (RFC 9449 §8)", () =>
  inWorld({}, async (world) => {
    assertEquals(await challenge(world), "");
    assertEquals(nonceOf(await world.redeem(await world.code(), {}, await proof(key, world))), "");
  }));

test("dpop nonce: two servers with one store accept each other's (RFC 9449 §8)", async () => {
  const store = memoryStore();
  const options = { store, alg: "EdDSA", login: "auto" } as const;
  const defaults = {
    issuer: "https://as.test",
    clients: [{ client_id: "public", redirect_uris: ["https://app.example/cb"] }],
  };
  const [first, second] = [required, rotating].map((each) => createWorld({ ...options, ...each }, defaults));
  const nonces = [await challenge(first!), await challenge(second!)];
  assertNotEquals(nonces[0], nonces[1]);
  for (const nonce of nonces) {
    for (const world of [first!, second!]) {
      assertEquals(
        (await world.redeem(await world.code(), {}, await proof(key, world, { nonce }))).status,
        200,
      );
    }
  }
  await Promise.all([first!.close(), second!.close()]);
});
