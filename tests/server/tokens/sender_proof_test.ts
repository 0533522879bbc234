/** Proofs of possession: two proofs in one request, and tokens that are bound to a key (RFC 7800). */

import { assertEquals, assertMatch } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import type { Feature, SenderProof } from "../../../src/server/oauth/contracts/feature.ts";
import { inTurn } from "../../in_turn.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { readTokens, refresh, refusalOf, userinfo } from "./bearer.ts";

/** The proof is the header itself: its value is the thumbprint. */
function proofBy(header: string, tokenType: string): Feature {
  const proof: SenderProof = {
    name: header,
    tokenType,
    presentedIn: `the header ${header}`,
    prove({ request }) {
      const thumbprint = request.header(header);
      return thumbprint === undefined ? undefined : { thumbprint };
    },
  };
  return { name: header, spec: "none", senderProofs: [proof] };
}

const without = defaultFeatures({ ...everyFeature, firstUse: false, dpop: false });
const features = [...without, proofBy("one", "One"), proofBy("two", "Bearer")];

const it = testInWorld({ features });

it("proof of possession: a request that proves two keys is refused, and its code can still be used", async (world) => {
  const code = await world.code();
  const refused = await refusalOf(world, world.redeem(code, {}, { one: "k1", two: "k2" }));
  assertEquals(refused, [400, "invalid_request", "several_proofs"]);
  assertEquals((await world.redeem(code, {}, { one: "k1" })).status, 200);
});

it("proof of possession: one that keeps the type Bearer opens userinfo with its key only (RFC 8705 §3)", async (world) => {
  const code = await world.code({ scope: "openid" });
  const tokens = await readTokens(await world.redeem(code, {}, { two: "k2" }));
  assertEquals(tokens.token_type, "Bearer");
  const authorization = `Bearer ${tokens.access_token}`;
  assertEquals((await world.get("/userinfo", { authorization, two: "k2" })).status, 200);
  const refused = await world.get("/userinfo", { authorization });
  assertEquals([refused.status, world.lastRefusal()?.reason], [401, "token_key_unproven"]);
  assertEquals(refused.headers.get("www-authenticate")?.match(/realm/g)?.length, 2);
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`proof of possession: a bound token is not good on a server that cannot check it (${accessTokens})`, () =>
    inTurn({ accessTokens }, async (open) => {
      const before = await open({ features });
      const code = await before.code({ scope: "openid" });
      const { access_token } = await readTokens(await before.redeem(code, {}, { two: "k2" }));
      const world = await open({ features: without });
      const refused = await userinfo(world, access_token);
      assertEquals([refused.status, world.lastRefusal()?.reason], [401, "token_binding_unknown"]);
      assertMatch(refused.headers.get("www-authenticate")!, /^Bearer realm="postern", error="invalid_token"/);
    }));
}

it("proof of possession: a thief's key does not hide that the client's own refresh token was used", async (world) => {
  const use = (token: string, proof: Readonly<Record<string, string>> = {}) =>
    refresh(world, token, { client_id: "public" }, proof);
  const { refresh_token: stolen } = await readTokens(await world.redeem(await world.code()));
  const { refresh_token: next } = await readTokens(await use(stolen, { one: "thief" }));
  assertEquals(await refusalOf(world, use(next)), [400, "invalid_grant", "key_unproven"]);
  assertEquals(await refusalOf(world, use(stolen)), [400, "invalid_grant", "refresh_reused"]);
  const revoked = await refusalOf(world, use(next, { one: "thief" }));
  assertEquals(revoked, [400, "invalid_grant", "refresh_revoked"]);
});
