/** Tokens without a flow work like those of a flow, and expired ones behave as after their lifetime. */

import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from "jose";
import { createHash } from "node:crypto";
import { Refused } from "../../../src/mock/mod.ts";
import { expire } from "../../../src/mock/tokens/expire.ts";
import { mint } from "../../../src/mock/tokens/mint.ts";
import type { AnyMintTerms } from "../../../src/mock/tokens/mint_terms.ts";
import { protect } from "../../../src/mock/tokens/protect.ts";
import { test } from "../../runner.ts";
import { issuer, type Kit, startKit } from "../kit.ts";

const api = "https://api.test";

async function introspect(token: string, { fetch }: Kit): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${issuer}/oauth2/introspect`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("app-confidential:app-secret")}` },
    body: new URLSearchParams({ token }),
  });
  assertEquals(response.status, 200);
  return await response.json();
}

async function askUserinfo(token: string, { fetch }: Kit): Promise<Response> {
  return await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
}

async function verify(token: string, { fetch }: Kit, options?: JWTVerifyOptions): Promise<JWTVerifyResult> {
  const keys = await (await fetch(`${issuer}/oauth2/jwks`)).json() as JSONWebKeySet;
  return await jwtVerify(token, createLocalJWKSet(keys), { issuer, ...options });
}

const confidential = { client: "app-confidential" } as const;

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`mint: an access token (${accessTokens}) is active, opens userinfo, and can be revoked`, async () => {
    const kit = startKit({ accessTokens });
    await using as = kit.tenant;
    const token = await mint({ person: "bob", ...confidential }, kit.context);
    const next = await mint({ person: "bob", ...confidential }, kit.context);
    const said = await introspect(token, kit);
    assertEquals([said["active"], said["sub"], said["client_id"], said["username"]], [
      true,
      "bob",
      "app-confidential",
      "bob",
    ]);
    const userinfo = await askUserinfo(token, kit);
    assertEquals([userinfo.status, (await userinfo.json()).sub], [200, "bob"]);
    await as.revoke(token);
    assertEquals(await introspect(token, kit), { active: false });
    assertEquals((await askUserinfo(token, kit)).status, 401);
    assertEquals((await introspect(next, kit))["active"], true);
  });
}

test("mint: the token has the claims of one from a flow, and jose verifies it", async () => {
  const kit = startKit({ people: [{ username: "alice", password: "correct horse" }] });
  await using as = kit.tenant;
  const minted = await mint({}, kit.context);
  const { payload, protectedHeader } = await verify(minted, kit, { typ: "at+jwt", audience: issuer });
  const flown = (await as.login()).access_token;
  assertEquals<object>(protectedHeader, decodeProtectedHeader(flown));
  assertEquals(Object.keys(payload), Object.keys(decodeJwt(flown)));
  assertEquals(payload["amr"], decodeJwt(flown)["amr"]);
  const { sub, client_id, scope, exp, iat } = payload;
  assertEquals([sub, client_id, scope, exp! - iat!], [
    "alice",
    "app",
    "openid profile email offline_access",
    3600,
  ]);
});

test("mint: client, scope, resource, claims and lifetime are as the terms say", async () => {
  const kit = startKit({ scopes: { orders: "See orders" } });
  await using _ = kit.tenant;
  const token = await mint({
    ...confidential,
    scope: ["openid", "orders"],
    resource: [api, "https://files.test"],
    claims: { tenant: "acme", sub: "somebody", auth_time: undefined },
    expiresIn: "5m",
  }, kit.context);
  const { payload } = await verify(token, kit, { audience: api });
  assertEquals([payload["client_id"], payload["scope"], payload["tenant"], payload.sub], [
    "app-confidential",
    "openid orders",
    "acme",
    "somebody",
  ]);
  assertEquals(payload.aud, [api, "https://files.test"]);
  assertEquals(payload.exp! - payload.iat!, 300);
  assertEquals("auth_time" in payload, false);
  assertEquals((await introspect(token, kit))["tenant"], "acme");
});

test("mint: an ID token has the nonce and the claims, and its own lifetime", async () => {
  const kit = startKit();
  await using _ = kit.tenant;
  const token = await mint(
    { kind: "id", nonce: "n-1", claims: { role: "admin" }, expiresIn: 60 },
    kit.context,
  );
  const { payload, protectedHeader } = await verify(token, kit, { audience: "app" });
  assertEquals([protectedHeader.typ, payload["nonce"], payload["role"], payload.exp! - payload.iat!], [
    "JWT",
    "n-1",
    "admin",
    60,
  ]);
});

test("mint: as.refresh accepts a refresh token until it expires", async () => {
  const kit = startKit();
  await using as = kit.tenant;
  const tokens = await as.refresh({
    refresh_token: await mint({ kind: "refresh", person: "bob" }, kit.context),
  });
  assertEquals(decodeJwt(tokens.access_token).sub, "bob");
  const short = await mint({ kind: "refresh", expiresIn: 30 }, kit.context);
  as.clock.advance(31);
  const refused = await assertRejects(() => as.refresh({ refresh_token: short }), Refused) as Refused;
  assertEquals(refused.reason, "refresh_expired");
});

test("mint: the client of a refresh token is known even when the server has forgotten the token", async () => {
  const { tenant: as, context } = startKit();
  await using _ = as;
  const { client, ...others } = { ...confidential, kind: "refresh", person: "bob" } as const;
  const token = await mint({ client, ...others }, context);
  as.clock.advance("300d");
  for (const tokens of [token, { refresh_token: token }]) {
    const refused = await assertRejects(() => as.refresh(tokens), Refused) as Refused;
    assertEquals(refused.error, "invalid_grant");
    assertEquals(as.requests.token.last?.clientId, client);
  }
});

test("mint: an expired opaque token can still be revoked by its client", async () => {
  const { tenant: as, context } = startKit({ accessTokens: "opaque" });
  await using _ = as;
  const token = await mint(confidential, context);
  as.clock.advance("2h");
  await as.revoke(token);
  assertEquals(as.requests.last?.clientId, confidential.client);
});

test("mint: a refresh token lasts up to lifetimes.refreshIdle, and no longer", async () => {
  const month = 30 * 24 * 3600;
  const [usual, long] = [startKit(), startKit({ lifetimes: { refreshIdle: 2 * month } })];
  await using _ = usual.tenant;
  await using as = long.tenant;
  const token = await mint({ kind: "refresh", expiresIn: "60d" }, long.context);
  as.clock.advance("59d");
  assert((await as.refresh(token)).access_token);
  await assertRejects(
    () => mint({ kind: "refresh", expiresIn: "30d 1s" }, usual.context),
    TypeError,
    "an unused refresh token expires after 2592000 seconds",
  );
  assertEquals(typeof await mint({ kind: "refresh", expiresIn: "30d" }, usual.context), "string");
  assertEquals(typeof await mint({ kind: "access", expiresIn: "60d" }, usual.context), "string");
});

test("mint: a client's own token names no person, is active, and is refused at userinfo", async () => {
  const kit = startKit();
  await using _ = kit.tenant;
  const token = await mint({ withoutPerson: true, scope: "profile", resource: api }, kit.context);
  const { payload } = await verify(token, kit, { audience: api });
  assertEquals([payload.sub, payload["client_id"], payload["scope"]], [
    "app-confidential",
    "app-confidential",
    "profile",
  ]);
  const said = await introspect(token, kit);
  assertEquals([said["active"], "username" in said], [true, false]);
  assertEquals((await askUserinfo(token, kit)).status, 401);
});

test("mint: a first-use client is known once a person has signed in to it", async () => {
  const { tenant: as, context } = startKit();
  await using _ = as;
  await as.login("alice", { client: "cli", redirectUri: "http://127.0.0.1:5000/cb" });
  assertEquals(decodeJwt(await mint({ client: "cli" }, context))["client_id"], "cli");
});

const misuse: readonly (readonly [AnyMintTerms, string])[] = [
  [{ person: "carol" }, "There is no person carol: known are alice, bob"],
  [{ client: "shop" }, "There is no client shop: known are app, app-confidential"],
  [{ withoutPerson: true, person: "alice" }, "with both person and withoutPerson: leave one of them out"],
  [{ withoutPerson: true, kind: "id" }, "a client's own token is an access token"],
  [{ kind: "refresh", claims: { a: 1 } }, "only access tokens and ID tokens have claims"],
  [{ kind: "id", scope: "profile" }, "without the scope openid"],
  [{ claims: { jti: "1" } }, "by its own jti"],
  [{ expiresIn: "-1m" }, "use as.expire(token)"],
  [{ user: "bob" } as AnyMintTerms, "Cannot mint: user is not known: did you mean person?"],
  [{ users: undefined, scopes: [] } as AnyMintTerms, "scopes is not known: did you mean scope?"],
];

test("mint: an error explains terms that do not fit", async () => {
  const { tenant: as, context } = startKit();
  await using _ = as;
  for (const [terms, message] of misuse) {
    await assertRejects(() => mint(terms, context), TypeError, message, JSON.stringify(terms));
  }
});

test("mint: the error about an unknown term lists all terms", async () => {
  const { tenant: as, context } = startKit();
  await using _ = as;
  const known = "kind, person, client, scope, resource, claims, nonce, expiresIn, withoutPerson, dpop";
  const wrong = [
    [{ who: "bob" }, `Cannot mint: who is not known: known are ${known}`],
    ["bob", `Cannot mint: the terms must be an object with any of ${known}, not a string`],
    [null, `Cannot mint: the terms must be an object with any of ${known}, not null`],
    [["bob"], `Cannot mint: the terms must be an object with any of ${known}, not an array`],
  ] as const;
  for (const [terms, message] of wrong) {
    await assertRejects(() => mint(terms as AnyMintTerms, context), TypeError, message);
  }
});

test("mint: userinfo refuses a token whose aud is changed by claims, and says how to keep the issuer", async () => {
  const { tenant: as, context, fetch } = startKit();
  await using _ = as;
  const ask = async (aud: string | readonly string[]) => {
    const token = await mint({ scope: "openid", claims: { aud } }, context);
    return (await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status;
  };
  assertEquals(await ask("orders-api"), 401);
  const { reason, expected, received } = as.requests.last!.refusal!;
  assertEquals([reason, expected, received], [
    "token_for_another_audience",
    `aud ["orders-api","${issuer}"], or tokenClaims with aud, which adds it for openid`,
    "aud orders-api, which claims, a hook or tokenClaims set",
  ]);
  assertEquals(await ask(["orders-api", issuer]), 200);
});

test("mint: a client that people cannot sign in to gets no token for a person, but its own", async () => {
  const robot = { client_id: "robot", client_secret: "robot-secret", grant_types: ["client_credentials"] };
  const { tenant: as, context } = startKit({ clients: [robot] });
  await using _ = as;
  for (const kind of ["access", "id", "refresh"] as const) {
    await assertRejects(
      () => mint({ kind, client: "robot" }, context),
      TypeError,
      "for a person: people cannot sign in to the client robot, whose grant_types are client_credentials. " +
        "Name another client, add authorization_code, or mint the client's own token with { withoutPerson: true }",
    );
  }
  await assertRejects(() => mint({}, context), TypeError, "{ withoutPerson: true }");
  assertEquals(decodeJwt(await mint({ withoutPerson: true }, context)).sub, "robot");
  as.clients.change("robot", {
    grant_types: ["client_credentials", "authorization_code"],
    redirect_uris: ["https://robot.test/cb"],
  });
  assertEquals(decodeJwt(await mint({ client: "robot" }, context)).sub, "alice");
});

test("mint: errors explain a client without refresh tokens, and a mock without clients or secrets", async () => {
  const codeOnly = {
    client_id: "spa",
    redirect_uris: ["https://spa.test/cb"],
    grant_types: ["authorization_code"],
  };
  const [spa, empty] = [startKit({ clients: [codeOnly] }), startKit({ clients: [] })];
  await using _ = spa.tenant;
  await using _2 = empty.tenant;
  await assertRejects(
    () => mint({ kind: "refresh" }, spa.context),
    TypeError,
    "Check that its grant_types include refresh_token",
  );
  await assertRejects(
    () => mint({ withoutPerson: true }, spa.context),
    TypeError,
    "No client can get a token without a person",
  );
  await assertRejects(() => mint({}, empty.context), TypeError, "No clients are configured: add one");
});

test("mint: refuses in the server's words what the server would not grant", async () => {
  const { tenant: as, context } = startKit({ scopes: { orders: "See orders" } });
  await using _ = as;
  const reasonOf = async (terms: AnyMintTerms) =>
    (await assertRejects(() => mint(terms, context), Refused, "Cannot mint: ") as Refused).reason;
  assertEquals(await reasonOf({ scope: "ordres" }), "scope_unknown");
  assertEquals(await reasonOf({ resource: "api" }), "resource_malformed");
  for (const subject of [{ person: "bob" }, { withoutPerson: true, client: "app-confidential" }] as const) {
    const malformed = await assertRejects(
      () => mint({ ...subject, resource: "orders-api" }, context),
      Refused,
    );
    assertMatch(malformed.message, /expected\s+an absolute URI\. .*claims, such as \{ aud: "orders-api" \}/);
  }
  assertEquals(await reasonOf({ withoutPerson: true, client: "app" }), "public_client_for_itself");
  assertEquals(await reasonOf({ withoutPerson: true, scope: "openid" }), "openid_for_itself");
});

test("mint: hooks run for the minted token, and not for the other tokens that are made with it", async () => {
  const { tenant: as, context } = startKit();
  await using _ = as;
  as.on("access_token", (claims) => ({ ...claims, by: "hook", role: "hook" }), {
    client: "app",
    person: "alice",
  });
  as.on("id_token", (claims) => ({ ...claims, by: "hook" }), { once: true });
  const access = decodeJwt(await mint({ claims: { role: "mine" } }, context));
  assertEquals([access["by"], access["role"]], ["hook", "mine"]);
  assertEquals("by" in decodeJwt(await mint({ person: "bob" }, context)), false);
  assertEquals(decodeJwt(await mint({ kind: "id" }, context))["by"], "hook");
});

test("mint: a seed repeats every byte of the token", async () => {
  const tokens = await Promise.all([1, 1, 2].map(async (seed) => {
    const { tenant: as, context } = startKit({ seed, alg: "EdDSA" });
    await using _ = as;
    return await mint({}, context);
  }));
  assertEquals(tokens[0], tokens[1]);
  assertNotEquals(tokens[0], tokens[2]);
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`expire: an API answers 401 (${accessTokens}), introspection inactive, and the refresh token works`, async () => {
    const kit = startKit({ accessTokens });
    await using as = kit.tenant;
    as.clock.freeze();
    const before = as.clock.now;
    const tokens = await as.login("alice", confidential);
    const other = await as.login("bob", confidential);
    const expired = await expire(tokens, kit.context);
    assertEquals(as.clock.now, before);
    assertEquals([expired.expires_in, expired.refresh_token, expired.scope], [
      0,
      tokens.refresh_token,
      tokens.scope,
    ]);
    for (const token of [expired.access_token, tokens.access_token]) {
      assertEquals(await introspect(token, kit), { active: false });
      assertEquals((await askUserinfo(token, kit)).status, 401);
      const refused = await protect({}, kit.context)(bearer(token));
      assert(refused instanceof Response);
      assertEquals(refused.status, 401);
    }
    assertEquals((await askUserinfo(other.access_token, kit)).status, 200);
    const next = await as.refresh(expired);
    assertEquals((await introspect(next.access_token, kit))["active"], true);
  });
}

test("expire: the tokens differ in their times only, and still belong together", async () => {
  const kit = startKit();
  await using as = kit.tenant;
  const tokens = await as.login("alice", { nonce: "n-1" });
  const expired = await expire(tokens, kit.context);
  for (const name of ["access_token", "id_token"] as const) {
    const was = decodeJwt(tokens[name]!);
    const inTime = { currentDate: new Date((decodeJwt(expired[name]!).exp! - 1800) * 1000) };
    const { payload } = await verify(expired[name]!, kit, inTime);
    assertEquals(payload.exp! - payload.iat!, was.exp! - was.iat!);
    assertEquals(payload.iat! - Number(payload["auth_time"]), was.iat! - Number(was["auth_time"]));
    assert(payload.exp! < as.clock.now);
    const timeless = ({ iat: _, exp: _2, auth_time: _3, at_hash: _4, ...rest }: typeof was) => rest;
    assertEquals(timeless(payload), timeless(was));
  }
  const half = createHash("sha256").update(expired.access_token).digest().subarray(0, 16);
  assertEquals(decodeJwt(expired.id_token!)["at_hash"], half.toString("base64url"));
});

test("expire: with a skewed server clock, the token has expired by the test's clock as well", async () => {
  const kit = startKit();
  await using as = kit.tenant;
  as.clock.skew("2h");
  const expired = await expire(await mint({}, kit.context), kit.context);
  assert(decodeJwt(expired).exp! < as.clock.now);
});

test("expire: takes a single token of any kind", async () => {
  const kit = startKit();
  await using as = kit.tenant;
  const access: string = await expire(await mint(confidential, kit.context), kit.context);
  assertEquals(await introspect(access, kit), { active: false });
  const id = await expire(await mint({ kind: "id" }, kit.context), kit.context);
  assert(decodeJwt(id).exp! < as.clock.now);
  const tokens = await as.login();
  assertEquals(await expire(tokens.refresh_token!, kit.context), tokens.refresh_token);
  const refused = await assertRejects(() => as.refresh(tokens), Refused) as Refused;
  assertEquals(refused.reason, "refresh_expired");
  assertEquals((await askUserinfo(tokens.access_token, kit)).status, 200);
});

test("expire: explains values that hold no token of this server", async () => {
  const { tenant: as, context } = startKit();
  await using _ = as;
  const pending = as.login("alice");
  const wrong = [
    [pending, "expected a token, or a token response with one, but got a promise: await it first"],
    [undefined, "expected a token, or a token response with one, but got undefined"],
    [{}, "expected a token, or a token response with one, but got no access_token"],
    ["a.b.c", "expected an unchanged token of this server"],
  ] as const;
  for (const [tokens, message] of wrong) {
    await assertRejects(() => expire(tokens as string, context), TypeError, `Cannot expire: ${message}`);
  }
  await pending;
});

test("expire: the browser of the tokens is still known", async () => {
  const kit = startKit();
  await using as = kit.tenant;
  const browser = as.browser();
  await as.endSession(await expire(await as.login("alice", { browser }), kit.context));
  const silently = () => as.login("alice", { browser, prompt: "none" });
  assertEquals((await assertRejects(silently, Refused) as Refused).error, "login_required");
});

test("mint and expire: a disposed mock says so", async () => {
  const { tenant: as, context } = startKit();
  await as[Symbol.asyncDispose]();
  assertMatch((await assertRejects(() => mint({}, context), Error) as Error).message, /disposed/);
  assertMatch((await assertRejects(() => expire("x", context), Error) as Error).message, /disposed/);
});

function bearer(token: string): Request {
  return new Request(`${api}/orders`, { headers: { authorization: `Bearer ${token}` } });
}
