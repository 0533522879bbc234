/** What DPoP binds: access tokens, codes and refresh tokens. No request turns a bound token into a bearer token. */

import { assertEquals, assertMatch } from "@std/assert";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import {
  authorizationParams,
  basic,
  callbackParams,
  clients,
  inWorld,
  type Params,
  type World,
} from "../../world.ts";
import { assertRefused, claimsOf, introspect, readTokens, refresh } from "./bearer.ts";
import { boundTokens, callUserinfo, createProofKey, proof, type ProofUse } from "./dpop.ts";

const [key, other] = [await createProofKey(), await createProofKey()];

const options = {
  clients: [
    ...clients,
    { client_id: "api", client_secret: "api-secret", introspects: ["https://as.test"] },
    { client_id: "bound", redirect_uris: ["https://app.example/cb"], dpop_bound_access_tokens: true },
  ],
};
const asBasic = basic("basic", "basic secret: a+b%c");
const asApi = basic("api", "api-secret");

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`dpop: an access token is bound to the key of its proof (${accessTokens}; RFC 9449 §5, §6)`, () =>
    inWorld({ ...options, accessTokens }, async (world) => {
      const { token_type, access_token } = await boundTokens(key, world);
      const cnf = { jkt: key.thumbprint };
      assertEquals(token_type, "DPoP");
      if (accessTokens === "jwt") assertEquals(claimsOf(access_token)["cnf"], cnf);
      const said = await (await introspect(world, access_token, asApi)).json();
      assertEquals([said.active, said.token_type, said.cnf], [true, "DPoP", cnf]);
      assertEquals((await callUserinfo(key, world, access_token)).status, 200);
    }));
}

const it = testInWorld(options);

it("dpop: a client with dpop_bound_access_tokens gets no token without a proof (RFC 9449 §5.2)", async (world) => {
  const code = await world.code({ client_id: "bound" });
  const redeem = (headers = {}) => world.redeem(code, { client_id: "bound" }, headers);
  await assertRefused(world, redeem(), "400 invalid_request proof_missing");
  assertEquals(world.lastRefusal()?.expected, "a proof of possession in the header DPoP");
  const tokens = await readTokens(await redeem(await proof(key, world)));
  const again = (headers = {}) => refresh(world, tokens.refresh_token, { client_id: "bound" }, headers);
  await assertRefused(world, again(), "400 invalid_request proof_missing");
  assertEquals((await again(await proof(key, world))).status, 200);
});

test("dpop: with required, no client gets a token without a proof (RFC 9449 §5.2)", () =>
  inWorld({ ...options, dpop: { required: true } }, async (world) => {
    const code = await world.code();
    await assertRefused(world, world.redeem(code), "400 invalid_request proof_missing");
    assertEquals((await world.redeem(code, {}, await proof(key, world))).status, 200);
  }));

it("dpop: a public client refreshes with the key of its refresh token only (RFC 9449 §5)", async (world) => {
  const { refresh_token: first } = await boundTokens(key, world);
  const again = (token: string, headers = {}) => refresh(world, token, { client_id: "public" }, headers);
  await assertRefused(world, again(first), "400 invalid_grant key_unproven");
  assertEquals(world.lastRefusal()?.received, "no proof of possession");
  await assertRefused(world, again(first, await proof(other, world)), "400 invalid_grant key_differs");
  assertEquals(world.lastRefusal()?.received, `jkt ${other.thumbprint}`);
  const second = await readTokens(await again(first, await proof(key, world)));
  assertEquals([second.token_type, claimsOf(second.access_token)["cnf"]], ["DPoP", {
    jkt: key.thumbprint,
  }]);
});

it("dpop: a confidential client may change its key when it refreshes (RFC 9449 §5)", async (world) => {
  const { refresh_token } = await boundTokens(key, world, { client_id: "basic" }, asBasic);
  const next = await readTokens(
    await refresh(world, refresh_token, {}, { ...asBasic, ...await proof(other, world) }),
  );
  assertEquals(claimsOf(next.access_token)["cnf"], { jkt: other.thumbprint });
});

it("dpop: dpop_jkt binds the code to a key (RFC 9449 §10)", async (world) => {
  for (const client_id of ["public", "basic"]) {
    const asClient = client_id === "basic" ? asBasic : {};
    const code = await world.code({ client_id, dpop_jkt: key.thumbprint });
    const named = { client_id: client_id === "basic" ? undefined : client_id };
    const redeem = (headers = {}) => world.redeem(code, named, { ...asClient, ...headers });
    await assertRefused(world, redeem(), "400 invalid_grant key_unproven");
    await assertRefused(world, redeem(await proof(other, world)), "400 invalid_grant key_differs");
    assertEquals((await redeem(await proof(key, world))).status, 200);
  }
});

it("dpop: a dpop_jkt that is no thumbprint, or is repeated, is refused (RFC 9449 §10)", async (world) => {
  for (const dpop_jkt of ["x", `${key.thumbprint}x`, key.thumbprint.replace(/.$/, "=")]) {
    assertEquals(callbackParams(await world.authorize({ dpop_jkt })).get("error"), "invalid_request");
    assertEquals(world.lastRefusal()?.reason, "dpop_jkt_malformed");
  }
  const twice = await world.authorize({ dpop_jkt: [key.thumbprint, key.thumbprint] });
  assertEquals(callbackParams(twice).get("error"), "invalid_request");
  assertEquals(world.lastRefusal()?.reason, "repeated_parameter");
});

it("dpop: a proof in a pushed request has the effect of dpop_jkt, and must not differ from it (RFC 9449 §10.1)", async (world) => {
  const url = `${world.issuer}/oauth2/par`;
  const push = async (changed: Params, by = key, at = url) =>
    world.post("/oauth2/par", authorizationParams(changed), await proof(by, world, { url: at }));
  const { request_uri } = await (await push({})).json();
  const code = await world.code({ request_uri });
  await assertRefused(world, world.redeem(code), "400 invalid_grant key_unproven");
  assertEquals((await world.redeem(code, {}, await proof(key, world))).status, 200);
  const named = { dpop_jkt: key.thumbprint };
  for (const each of [named, { dpop_jkt: "" }]) {
    const { request_uri } = await (await push(each)).json();
    await assertRefused(
      world,
      world.redeem(await world.code({ request_uri })),
      "400 invalid_grant key_unproven",
    );
  }
  await assertRefused(world, push(named, other), "400 invalid_request bound_key_differs");
  const elsewhere = push({}, key, `${world.issuer}/oauth2/token`);
  await assertRefused(world, elsewhere, "400 invalid_dpop_proof dpop_url");
});

async function refusedUserinfo(world: World, asked: Promise<Response>): Promise<readonly unknown[]> {
  const response = await asked;
  await response.body?.cancel();
  const [, scheme, error] = /^(\w+) .*?error="(\w+)"/.exec(response.headers.get("www-authenticate") ?? "") ??
    [];
  return [response.status, scheme, error, world.lastRefusal()?.reason];
}

/** Uses of a bound token that userinfo refuses. */
const wrongUses: Readonly<Record<string, readonly [use: ProofUse, error: string, reason: string]>> = {
  "a wrong ath": [
    { claims: { ath: "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo" } },
    "invalid_dpop_proof",
    "dpop_access_token",
  ],
  "another URL": [{ url: "https://as.test/oauth2/token" }, "invalid_dpop_proof", "dpop_url"],
};

for (const [name, [use, error, reason]] of Object.entries(wrongUses)) {
  it(`dpop: userinfo refuses a proof with ${name} (RFC 9449 §7.1)`, async (world) => {
    const { access_token } = await boundTokens(key, world);
    const refused = refusedUserinfo(world, callUserinfo(key, world, access_token, use));
    assertEquals(await refused, [401, "DPoP", error, reason]);
    assertEquals((await callUserinfo(key, world, access_token)).status, 200);
  });
}

it("dpop: userinfo refuses a bound token with another key, without a proof, and as a bearer token (RFC 9449 §7.1, §7.2)", async (world) => {
  const { access_token } = await boundTokens(key, world);
  const stolen = await refusedUserinfo(world, callUserinfo(other, world, access_token));
  assertEquals(stolen, [401, "DPoP", "invalid_token", "token_key_differs"]);
  const unproven = world.get("/userinfo", { authorization: `DPoP ${access_token}` });
  assertEquals(await refusedUserinfo(world, unproven), [
    401,
    "DPoP",
    "invalid_token",
    "token_key_unproven",
  ]);
  const downgraded = [401, "Bearer", "invalid_token", "token_scheme_differs"];
  const headers = { authorization: `Bearer ${access_token}` };
  assertEquals(await refusedUserinfo(world, world.get("/userinfo", headers)), downgraded);
  const use = { method: "GET", url: "https://as.test/userinfo", accessToken: access_token };
  const proven = world.get("/userinfo", { ...headers, ...await proof(key, world, use) });
  assertEquals(await refusedUserinfo(world, proven), downgraded);
  const inForm = world.post("/userinfo", { access_token });
  assertEquals(await refusedUserinfo(world, inForm), downgraded);
});

it("dpop: a bearer token is refused with the scheme DPoP (RFC 9449 §7.1)", async (world) => {
  const { access_token } = await readTokens(await world.redeem(await world.code({ scope: "openid" })));
  const refused = await refusedUserinfo(world, callUserinfo(key, world, access_token));
  assertEquals(refused, [401, "DPoP", "invalid_token", "token_scheme_differs"]);
});

it("dpop: the scheme DPoP is recognised in any case (RFC 9110 §11.1; FAPI 2.0)", async (world) => {
  const { access_token } = await boundTokens(key, world);
  for (const scheme of ["dpop", "DPOP", "DPoP"]) {
    const use = { method: "GET", url: "https://as.test/userinfo", accessToken: access_token };
    const headers = { authorization: `${scheme} ${access_token}`, ...await proof(key, world, use) };
    assertEquals((await world.get("/userinfo", headers)).status, 200, scheme);
  }
});

it("dpop: the journal has the key that a request proves", async (world) => {
  const { access_token } = await boundTokens(key, world);
  const proven = () => world.journal.at(-1)?.facts.provenKey;
  assertEquals(proven(), `jkt ${key.thumbprint}`);
  await callUserinfo(other, world, access_token);
  assertEquals(proven(), `jkt ${other.thumbprint}`);
  await world.redeem(await world.code());
  assertEquals(proven(), undefined);
});

it("dpop: the challenge of userinfo names the algorithms of proofs (RFC 9449 §7.1)", async (world) => {
  const { access_token } = await boundTokens(key, world);
  const refused = await callUserinfo(key, world, access_token, { claims: { ath: "x" } });
  assertMatch(
    refused.headers.get("www-authenticate")!,
    /^DPoP realm="postern", error="invalid_dpop_proof", error_description="[^"]+", algs="ES256 EdDSA Ed25519 PS256 RS256", Bearer realm="postern"$/,
  );
});

test("dpop: with dpop: false a proof has no effect, and nothing is announced", () =>
  inWorld({ dpop: false }, async (world) => {
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals("dpop_signing_alg_values_supported" in metadata, false);
    const { token_type } = await boundTokens(key, world, { dpop_jkt: "x" });
    assertEquals(token_type, "Bearer");
    assertEquals((await world.get("/userinfo")).headers.get("www-authenticate"), 'Bearer realm="postern"');
  }));
