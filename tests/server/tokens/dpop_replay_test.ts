/** A proof is accepted once, and the memory of used proofs has a bound (RFC 9449 §11.1). */

import { assertEquals } from "@std/assert";
import { dpop } from "../../../src/server/features/dpop/dpop.ts";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { inWorld, type World } from "../../world.ts";
import { readTokens, refusalOf } from "./bearer.ts";
import { boundTokens, createProofKey, proof, signProof } from "./dpop.ts";

const key = await createProofKey();
const replayed = [400, "invalid_dpop_proof", "dpop_replayed"];

async function redeem(world: World, dpop: string): Promise<readonly unknown[]> {
  return await refusalOf(world, world.redeem(await world.code(), {}, { dpop }));
}

const it = testInWorld({});

it("dpop: a proof is accepted once at its URL (RFC 9449 §11.1)", async (world) => {
  const text = await signProof(key, world);
  assertEquals((await redeem(world, text))[0], 200);
  assertEquals(await redeem(world, text), replayed);
  // Another proof with the same jti, in another spelling of the URL.
  const again = { claims: { jti: "one", htu: "https://AS.test/oauth2/token?x" } };
  assertEquals((await redeem(world, await signProof(key, world, { claims: { jti: "one" } })))[0], 200);
  assertEquals(await redeem(world, await signProof(key, world, again)), replayed);
  // Another client may choose the same jti.
  const other = await createProofKey();
  assertEquals((await redeem(world, await signProof(other, world, again)))[0], 200);
});

it("dpop: the jti of a proof is unique for its URL only (RFC 9449 §11.1)", async (world) => {
  const claims = { jti: "one" };
  const code = await world.code({ scope: "openid" });
  const { access_token: accessToken } = await readTokens(
    await world.redeem(code, {}, await proof(key, world, { claims })),
  );
  const use = { method: "GET", url: `${world.issuer}/userinfo`, accessToken, claims };
  const show = async () => {
    const headers = { authorization: `DPoP ${accessToken}`, ...await proof(key, world, use) };
    return (await world.get("/userinfo", headers)).status;
  };
  assertEquals([await show(), await show()], [200, 401]);
});

it("dpop: userinfo refuses a used proof, and the token stays valid (RFC 9449 §11.1)", async (world) => {
  const { access_token: accessToken } = await boundTokens(key, world);
  const use = { method: "GET", url: `${world.issuer}/userinfo`, accessToken };
  const headers = { authorization: `DPoP ${accessToken}`, ...await proof(key, world, use) };
  assertEquals((await world.get("/userinfo", headers)).status, 200);
  const refused = await refusalOf(world, world.get("/userinfo", headers));
  assertEquals(refused, [401, "invalid_dpop_proof", "dpop_replayed"]);
});

it("dpop: a used proof is refused for as long as its time is valid (RFC 9449 §11.1)", async (world) => {
  const text = await signProof(key, world, { claims: { iat: world.clock.now + 60 } });
  assertEquals((await redeem(world, text))[0], 200);
  world.clock.advance(120);
  assertEquals(await redeem(world, text), replayed);
  world.clock.advance(1);
  assertEquals(await redeem(world, text), [400, "invalid_dpop_proof", "dpop_time"]);
});

const without = defaultFeatures({ ...everyFeature, dpop: false });

test("dpop: a server that remembers enough proofs answers 503, forgets none, and recovers (RFC 9449 §11.1)", () =>
  inWorld({ features: [...without, dpop({ mostRemembered: 3 })] }, async (world) => {
    const texts = await Promise.all([1, 2, 3].map(() => signProof(key, world)));
    for (const text of texts) assertEquals((await redeem(world, text))[0], 200);
    const code = await world.code();
    const response = await world.redeem(code, {}, await proof(key, world));
    assertEquals([response.status, (await response.json()).error], [503, "temporarily_unavailable"]);
    assertEquals(response.headers.get("retry-after"), "60");
    assertEquals(world.lastRefusal()?.reason, "too_many_dpop_proofs");
    // A client without DPoP is not affected.
    assertEquals((await world.redeem(await world.code())).status, 200);
    // A record ends with the minute in which its proof has certainly expired.
    world.clock.advance(239);
    assertEquals((await world.redeem(code, {}, await proof(key, world))).status, 503);
    world.clock.advance(1);
    assertEquals((await world.redeem(code, {}, await proof(key, world))).status, 200);
  }));

test("dpop: at the bound, userinfo answers 503 and no challenge (RFC 9449 §11.1)", () =>
  inWorld({ features: [...without, dpop({ mostRemembered: 1 })] }, async (world) => {
    const { access_token: accessToken } = await boundTokens(key, world);
    const use = { method: "GET", url: `${world.issuer}/userinfo`, accessToken };
    const headers = { authorization: `DPoP ${accessToken}`, ...await proof(key, world, use) };
    const response = await world.get("/userinfo", headers);
    assertEquals([response.status, response.headers.get("www-authenticate")], [503, null]);
    await response.body?.cancel();
  }));

test("dpop: a page of another site can fill only half of the memory of used proofs", () =>
  inWorld({ features: [...without, dpop({ mostRemembered: 4 })] }, async (world) => {
    const send = async (headers: Readonly<Record<string, string>>) =>
      (await world.redeem("x", {}, { ...await proof(key, world), ...headers })).status;
    const fromPage = { "sec-fetch-site": "cross-site", origin: "https://evil.test" };
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push(await send(fromPage));
    assertEquals(statuses, [400, 400, 503, 503]);
    assertEquals([await send({}), await send({ "sec-fetch-site": "same-origin" }), await send({})], [
      400,
      400,
      503,
    ]);
  }));

test("dpop: replays do not fill the memory of used proofs (RFC 9449 §11.1)", () =>
  inWorld({ features: [...without, dpop({ mostRemembered: 2 })] }, async (world) => {
    const text = await signProof(key, world);
    assertEquals((await redeem(world, text))[0], 200);
    for (let count = 0; count < 5; count++) assertEquals(await redeem(world, text), replayed);
    assertEquals((await redeem(world, await signProof(key, world)))[0], 200);
  }));
