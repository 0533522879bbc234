/** A token whose signature is known to be right: everything else is checked again at each request. */

import { assert, assertEquals } from "@std/assert";
import { verifyIssuedJwt } from "../../../src/ground/crypto/issued_jwt.ts";
import type { SigningKey } from "../../../src/ground/crypto/jwt.ts";
import type { KeyRing } from "../../../src/ground/crypto/key_ring.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { encodePart, isActive, opensUserinfo, revoke } from "./bearer.ts";
import { issuer, type KeyWorld, withKeys } from "./key_world.ts";

const it = testIn(withKeys);
const clients = [
  { client_id: "public", redirect_uris: ["https://app.example/cb"] },
  {
    client_id: "basic",
    client_secret: "basic-secret",
    introspects: [issuer],
    redirect_uris: ["https://app.example/cb"],
  },
];
const lifetimes = { accessToken: 300, idToken: 300, session: 300 };

/** Asks about the token until the server knows its signature. */
async function requireKnown(world: KeyWorld, token: string): Promise<void> {
  for (let times = 0; times < 3; times++) {
    assert(await isActive(world, token) && await opensUserinfo(world, token));
  }
}

it("known signature: a token that shares parts with a known one is unknown (RFC 7515 §5.2)", async ({ open }) => {
  const world = open({ clients });
  const [one, other] = [(await world.tokens()).access_token, (await world.tokens()).access_token];
  await requireKnown(world, one);
  await requireKnown(world, other);
  const [header, payload, signature] = one.split(".") as [string, string, string];
  const [, , otherSignature] = other.split(".") as [string, string, string];
  const changed = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  for (const wrong of [otherSignature, changed, encodePart(""), signature.slice(1)]) {
    assertEquals(await isActive(world, `${header}.${payload}.${wrong}`), false);
  }
  const claims = { ...JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))), sub: "bob" };
  assertEquals(await isActive(world, `${header}.${encodePart(claims)}.${signature}`), false);
  assertEquals(await isActive(world, `${encodePart({ alg: "none" })}.${payload}.${signature}`), false);
  await requireKnown(world, one);
});

it("known signature: the time is read at each request, also after the clock was set back", async ({ clock, open }) => {
  const world = open({ clients, lifetimes });
  const { access_token: token } = await world.tokens();
  const began = clock.now;
  await requireKnown(world, token);
  for (const [seconds, expected] of [[299, true], [301, false], [10, true], [301, false]] as const) {
    clock.now = began + seconds;
    assertEquals(await isActive(world, token), expected, `${seconds}`);
  }
});

it("known signature: a revoked token is refused, and another server knows nothing of this one", async ({ open }) => {
  const world = open({ clients }), other = open({ clients, issuer: "https://other.test" });
  const { access_token: token } = await world.tokens();
  await requireKnown(world, token);
  assertEquals(await isActive(other, token), false);
  assertEquals((await revoke(world, token)).status, 200);
  assertEquals([await isActive(world, token), await opensUserinfo(world, token)], [false, false]);
});

test("known signature: a right one is verified once, a wrong one each time, and so is one of thousands ago", async () => {
  const verified: string[] = [];
  let isWrong = false;
  let published: SigningKey | undefined;
  const key = {
    alg: "ES256",
    verify(text: string) {
      verified.push(text.split(".")[1]!);
      return Promise.resolve(!isWrong);
    },
  } as unknown as SigningKey;
  const keys = {
    findPublished: () => Promise.resolve(published),
    reload: () => Promise.resolve(),
  } as unknown as KeyRing;
  published = key;
  const open = (jti: number | string) =>
    verifyIssuedJwt(`${encodePart({ alg: "ES256" })}.${encodePart(`{"jti":"${jti}"}`)}.c2ln`, keys);
  const countOf = async (jti: number | string) => {
    verified.length = 0;
    assertEquals((await open(jti))?.claims, { jti: `${jti}` });
    return verified.length;
  };
  assertEquals([await countOf("first"), await countOf("first"), await countOf("first")], [1, 0, 0]);
  for (let jti = 0; jti < 999; jti++) await open(jti);
  assertEquals([await countOf("first"), await countOf(0), await countOf(998)], [0, 0, 0]);
  for (let jti = 1000; jti < 3000; jti++) await open(jti);
  assertEquals([await countOf("first"), await countOf(2999)], [1, 0]);
  published = undefined;
  assertEquals(await open(2999), undefined);
  published = { ...key };
  assertEquals(await countOf(2999), 1);
  isWrong = true;
  verified.length = 0;
  assertEquals([await open("other"), await open("other"), verified.length], [undefined, undefined, 2]);
});
