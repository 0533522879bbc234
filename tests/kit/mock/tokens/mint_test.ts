/** Tokens without a flow work like those of a flow, and expired ones behave as after their lifetime. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
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
import { createMock, type MintTerms, type Mock, type MockOptions, Refused } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";

const quick: MockOptions = { alg: "ES256" };
const issuer = "https://as.test";
const api = "https://api.test";

async function introspect(token: string, { fetch }: Mock): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${issuer}/oauth2/introspect`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("app-confidential:app-secret")}` },
    body: new URLSearchParams({ token }),
  });
  assertEquals(response.status, 200);
  return await response.json();
}

async function askUserinfo(token: string, { fetch }: Mock): Promise<Response> {
  return await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
}

async function verify(token: string, { fetch }: Mock, options?: JWTVerifyOptions): Promise<JWTVerifyResult> {
  const keys = await (await fetch(`${issuer}/oauth2/jwks`)).json() as JSONWebKeySet;
  return await jwtVerify(token, createLocalJWKSet(keys), { issuer, ...options });
}

const confidential = { client: "app-confidential" } as const;

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`mint: an access token (${accessTokens}) is active, opens userinfo, and can be revoked`, async () => {
    await using as = await createMock({ ...quick, accessTokens });
    const token = await as.mint({ person: "bob", ...confidential });
    const next = await as.mint({ person: "bob", ...confidential });
    const said = await introspect(token, as);
    assertEquals([said["active"], said["sub"], said["client_id"]], [true, "bob", "app-confidential"]);
    assertEquals(said["username"], "bob");
    const userinfo = await askUserinfo(token, as);
    assertEquals([userinfo.status, (await userinfo.json()).sub], [200, "bob"]);
    await as.revoke(token);
    assertEquals(await introspect(token, as), { active: false });
    assertEquals((await askUserinfo(token, as)).status, 401);
    assertEquals((await introspect(next, as))["active"], true);
  });
}

test("mint: the token has the claims of one from a flow, and jose verifies it", async () => {
  await using as = await createMock({ ...quick, people: [{ username: "alice", password: "correct horse" }] });
  const minted = await as.mint({});
  const { payload, protectedHeader } = await verify(minted, as, { typ: "at+jwt", audience: issuer });
  const flown = (await as.login()).access_token;
  assertEquals<object>(protectedHeader, decodeProtectedHeader(flown));
  assertEquals(Object.keys(payload), Object.keys(decodeJwt(flown)));
  assertEquals(payload["amr"], decodeJwt(flown)["amr"]);
  const { sub, client_id, scope, exp, iat } = payload;
  assertEquals([sub, client_id, scope], ["alice", "app", "openid profile email offline_access"]);
  assertEquals(exp! - iat!, 3600);
});

test("mint: client, scope, resource, claims and lifetime are as the terms say", async () => {
  await using as = await createMock({ ...quick, scopes: { orders: "See orders" } });
  const token = await as.mint({
    ...confidential,
    scope: ["openid", "orders"],
    resource: [api, "https://files.test"],
    claims: { tenant: "acme", sub: "somebody", auth_time: undefined },
    expiresIn: "5m",
  });
  const { payload } = await verify(token, as, { audience: api });
  assertEquals([payload["client_id"], payload["scope"]], ["app-confidential", "openid orders"]);
  assertEquals([payload["tenant"], payload.sub], ["acme", "somebody"]);
  assertEquals(payload.aud, [api, "https://files.test"]);
  assertEquals(payload.exp! - payload.iat!, 300);
  assertEquals("auth_time" in payload, false);
  assertEquals((await introspect(token, as))["tenant"], "acme");
});

test("mint: without a scope, that of the client is granted", async () => {
  const clients = [{ client_id: "spa", redirect_uris: ["https://spa.test/cb"], scope: "openid email" }];
  await using as = await createMock({ ...quick, clients });
  assertEquals(decodeJwt(await as.mint())["scope"], "openid email");
});

const it = testUsing(() => createMock(quick));

it("mint: an ID token has the nonce and the claims, and its own lifetime", async (as) => {
  const token = await as.mint(
    { kind: "id", nonce: "n-1", claims: { role: "admin" }, expiresIn: 60 },
  );
  const { payload, protectedHeader } = await verify(token, as, { audience: "app" });
  assertEquals([protectedHeader.typ, payload["nonce"], payload["role"]], ["JWT", "n-1", "admin"]);
  assertEquals(payload.exp! - payload.iat!, 60);
});

it("mint: as.refresh accepts a refresh token until it expires", async (as) => {
  const tokens = await as.refresh({
    refresh_token: await as.mint({ kind: "refresh", person: "bob" }),
  });
  assertEquals(decodeJwt(tokens.access_token).sub, "bob");
  const short = await as.mint({ kind: "refresh", expiresIn: 30 });
  as.clock.advance(31);
  const refused = await assertRejects(() => as.refresh({ refresh_token: short }), Refused) as Refused;
  assertEquals(refused.reason, "refresh_expired");
});

it("mint: the login of a refresh token began now, and is for the resource of the terms", async (as) => {
  as.clock.freeze();
  const began = Math.floor(as.clock.now);
  const refresh_token = await as.mint({ kind: "refresh", resource: [api, "https://files.test"] });
  await as.clock.advance(60);
  const tokens = await as.refresh({ refresh_token });
  assertEquals(decodeJwt(tokens.access_token).aud, [api, "https://files.test"]);
  assertEquals(decodeJwt(tokens.id_token!)["auth_time"], began);
});

it("mint: the client of a refresh token is known even when the server has forgotten the token", async (as) => {
  const { client, ...others } = { ...confidential, kind: "refresh", person: "bob" } as const;
  const token = await as.mint({ client, ...others });
  as.clock.advance("300d");
  for (const tokens of [token, { refresh_token: token }]) {
    const refused = await assertRejects(() => as.refresh(tokens), Refused) as Refused;
    assertEquals(refused.error, "invalid_grant");
    assertEquals(as.requests.token.last?.clientId, client);
  }
});

test("mint: an expired opaque token can still be revoked by its client", async () => {
  await using as = await createMock({ ...quick, accessTokens: "opaque" });
  const token = await as.mint(confidential);
  as.clock.advance("2h");
  await as.revoke(token);
  assertEquals(as.requests.last?.clientId, confidential.client);
});

test("mint: a refresh token lasts up to lifetimes.refreshIdle, and no longer", async () => {
  const month = 30 * 24 * 3600;
  await using usual = await createMock(quick);
  await using as = await createMock({ ...quick, lifetimes: { refreshIdle: 2 * month } });
  const token = await as.mint({ kind: "refresh", expiresIn: "60d" });
  as.clock.advance("59d");
  assert((await as.refresh(token)).access_token);
  await assertRejects(
    () => usual.mint({ kind: "refresh", expiresIn: "30d 1s" }),
    TypeError,
    "an unused refresh token expires after 2592000 seconds. Mint a shorter one, or configure a longer lifetimes",
  );
  assertEquals(typeof await usual.mint({ kind: "refresh", expiresIn: "30d" }), "string");
  assertEquals(typeof await usual.mint({ kind: "access", expiresIn: "60d" }), "string");
});

it("mint: a client's own token names no person, is active, and is refused at userinfo", async (as) => {
  const token = await as.mint({ withoutPerson: true, scope: "profile", resource: api });
  const { payload } = await verify(token, as, { audience: api });
  assertEquals([payload.sub, payload["client_id"]], ["app-confidential", "app-confidential"]);
  assertEquals(payload["scope"], "profile");
  const said = await introspect(token, as);
  assertEquals([said["active"], "username" in said], [true, false]);
  assertEquals((await askUserinfo(token, as)).status, 401);
});

it("mint: a first-use client is known once a person has signed in to it", async (as) => {
  await as.login("alice", { client: "cli", redirectUri: "http://127.0.0.1:5000/cb" });
  assertEquals(decodeJwt(await as.mint({ client: "cli" }))["client_id"], "cli");
});

const known = "kind, username, client, scope, resource, claims, nonce, expiresIn, withoutPerson, dpop";

const misuse: readonly (readonly [unknown, string])[] = [
  [{ person: "carol" }, "There is no person carol: known are alice, bob"],
  [{ client: "shop" }, "There is no client shop: known are app, app-confidential"],
  [{ withoutPerson: true, username: "alice" }, "with both username and withoutPerson: leave one of them out"],
  [{ withoutPerson: true, kind: "id" }, "a client's own token is an access token"],
  [{ kind: "refresh", claims: { a: 1 } }, "only access tokens and ID tokens have claims"],
  [{ kind: "id", scope: "profile" }, "without the scope openid"],
  [{ claims: { jti: "1" } }, "by its own jti"],
  [{ expiresIn: "-1m" }, "use as.expire(token)"],
  [{ expiresIn: "900ms" }, "expected one second or more"],
  ["bob", `the terms must be an object with any of ${known}, not a string`],
  [{ who: "bob" }, `Cannot mint: who is not known: known are ${known}`],
  [{ user: "bob" }, "Cannot mint: user is not known: did you mean username?"],
  [{ users: undefined, scopes: [] }, "scopes is not known: did you mean scope?"],
];

it("mint: an error explains terms that do not fit", async (as) => {
  for (const [terms, message] of misuse) {
    await assertRejects(() => as.mint(terms as MintTerms), TypeError, message, JSON.stringify(terms));
  }
});

it("mint: userinfo refuses a token whose aud is changed by claims, and says how to keep the issuer", async (as) => {
  const ask = async (aud: string | readonly string[]) => {
    const token = await as.mint({ scope: "openid", claims: { aud } });
    return (await askUserinfo(token, as)).status;
  };
  assertEquals(await ask("orders-api"), 401);
  const { reason, expected, received } = as.requests.last!.refusal!;
  assertEquals([reason, expected, received], [
    "token_for_another_audience",
    `aud ["orders-api","${as.issuer}"], or tokenClaims with aud, which adds it for openid`,
    "aud orders-api, which claims, a hook or tokenClaims set",
  ]);
  assertEquals(await ask(["orders-api", issuer]), 200);
});

test("mint: a client that people cannot sign in to gets no token for a person, but its own", async () => {
  const robot = { client_id: "robot", client_secret: "robot-secret", grant_types: ["client_credentials"] };
  await using as = await createMock({ ...quick, clients: [robot] });
  const notForPeople =
    "for a person: people cannot sign in to the client robot, whose grant_types are client_credentials. " +
    "Name another client, add authorization_code, or mint the client's own token with { withoutPerson: true }";
  for (const kind of ["access", "id", "refresh"]) {
    const terms = { kind, client: "robot" } as MintTerms;
    await assertRejects(() => as.mint(terms), TypeError, notForPeople);
  }
  await assertRejects(() => as.mint({}), TypeError, "{ withoutPerson: true }");
  assertEquals(decodeJwt(await as.mint({ withoutPerson: true })).sub, "robot");
  as.clients.change("robot", {
    grant_types: ["client_credentials", "authorization_code"],
    redirect_uris: ["https://robot.test/cb"],
  });
  assertEquals(decodeJwt(await as.mint({ client: "robot" })).sub, "alice");
});

test("mint: an error explains a client without refresh tokens", async () => {
  const codeOnly = {
    client_id: "spa",
    redirect_uris: ["https://spa.test/cb"],
    grant_types: ["authorization_code"],
  };
  await using as = await createMock({ ...quick, clients: [codeOnly] });
  const message = "Check that its grant_types include refresh_token";
  await assertRejects(() => as.mint({ kind: "refresh" }), TypeError, message);
});

test("mint: refuses in the server's words what the server would not grant", async () => {
  await using as = await createMock({ ...quick, scopes: { orders: "See orders" } });
  const refusalOf = async (terms: MintTerms) =>
    (await assertRejects(() => as.mint(terms as MintTerms), Refused, "Cannot mint: ") as Refused).refusal;
  const reasonOf = async (terms: MintTerms) => (await refusalOf(terms)).reason;
  const { reason, expected = "" } = await refusalOf({ scope: "ordres" });
  assertEquals([reason, expected.includes("orders"), expected.includes("URI")], [
    "scope_unknown",
    true,
    false,
  ]);
  assertEquals(await reasonOf({ resource: "api" }), "resource_malformed");
  for (const subject of [{ person: "bob" }, { withoutPerson: true, client: "app-confidential" }] as const) {
    const malformed = await assertRejects(
      () => as.mint({ ...subject, resource: "orders-api" }),
      Refused,
    );
    assertMatch(malformed.message, /expected\s+an absolute URI\. .*claims, such as \{ aud: "orders-api" \}/);
  }
  assertEquals(await reasonOf({ withoutPerson: true, client: "app" }), "public_client_for_itself");
  assertEquals(await reasonOf({ withoutPerson: true, scope: "openid" }), "openid_for_itself");
});

it("mint: hooks run for the minted token, and not for the other tokens that are made with it", async (as) => {
  as.on("access_token", (claims) => ({ ...claims, by: "hook", role: "hook" }), {
    client: "app",
    person: "alice",
  });
  as.on("id_token", (claims) => ({ ...claims, by: "hook" }), { once: true });
  const access = decodeJwt(await as.mint({ claims: { role: "mine" } }));
  assertEquals([access["by"], access["role"]], ["hook", "mine"]);
  assertEquals("by" in decodeJwt(await as.mint({ person: "bob" })), false);
  assertEquals(decodeJwt(await as.mint({ kind: "id" }))["by"], "hook");
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`expire: an API answers 401 (${accessTokens}), introspection inactive, and the refresh token works`, async () => {
    await using as = await createMock({ ...quick, accessTokens });
    as.clock.freeze();
    const before = as.clock.now;
    const tokens = await as.login("alice", confidential);
    const other = await as.login("bob", confidential);
    const expired = await as.expire(tokens);
    assertEquals(as.clock.now, before);
    assertEquals([expired.expires_in, expired.refresh_token], [0, tokens.refresh_token]);
    assertEquals(expired.scope, tokens.scope);
    for (const token of [expired.access_token, tokens.access_token]) {
      assertEquals(await introspect(token, as), { active: false });
      assertEquals((await askUserinfo(token, as)).status, 401);
      const { reason, received = "" } = as.requests.last!.refusal!;
      const isOriginal = accessTokens === "jwt" && token === tokens.access_token;
      assertEquals([reason, /the original .* expire\(\)/.test(received)], ["token_expired", isOriginal]);
      const refused = await as.protect()(bearer(token));
      assert(refused instanceof Response);
      assertEquals(refused.status, 401);
    }
    assertEquals((await askUserinfo(other.access_token, as)).status, 200);
    const next = await as.refresh(expired);
    assertEquals((await introspect(next.access_token, as))["active"], true);
  });
}

it("expire: the tokens differ in their times only, and still belong together", async (as) => {
  const tokens = await as.login("alice", { nonce: "n-1" });
  const expired = await as.expire(tokens);
  for (const name of ["access_token", "id_token"] as const) {
    const was = decodeJwt(tokens[name]!);
    const inTime = { currentDate: new Date((decodeJwt(expired[name]!).exp! - 1800) * 1000) };
    const { payload } = await verify(expired[name]!, as, inTime);
    assertEquals(payload.exp! - payload.iat!, was.exp! - was.iat!);
    assertEquals(payload.iat! - Number(payload["auth_time"]), was.iat! - Number(was["auth_time"]));
    assert(payload.exp! < as.clock.now);
    const timeless = ({ iat: _, exp: _2, auth_time: _3, at_hash: _4, ...rest }: typeof was) => rest;
    assertEquals(timeless(payload), timeless(was));
  }
  const half = createHash("sha256").update(expired.access_token).digest().subarray(0, 16);
  assertEquals(decodeJwt(expired.id_token!)["at_hash"], half.toString("base64url"));
});

it("expire: an ID token without at_hash gets none", async (as) => {
  as.on("id_token", ({ at_hash: _, ...claims }) => claims);
  assertEquals((await as.expire(await as.login())).claims?.at_hash, undefined);
});

it("mint: a hook that lets the time of the grant pass is an error", async (as) => {
  as.on("access_token", (claims) => {
    as.clock.advance("1h");
    return claims;
  });
  await assertRejects(() => as.mint(), Error, "Cannot mint: a hook ended the grant");
});

it("expire: takes a single token of any kind", async (as) => {
  const access: string = await as.expire(await as.mint(confidential));
  assertEquals(await introspect(access, as), { active: false });
  const id = await as.expire(await as.mint({ kind: "id" }));
  assert(decodeJwt(id).exp! < as.clock.now);
  const tokens = await as.login();
  assertEquals(await as.expire(tokens.refresh_token!), tokens.refresh_token);
  const refused = await assertRejects(() => as.refresh(tokens), Refused) as Refused;
  assertEquals(refused.reason, "refresh_expired");
  assertEquals((await askUserinfo(tokens.access_token, as)).status, 200);
});

it("expire: a refresh token has also expired by a clock that is minutes behind", async (as) => {
  const tokens = await as.login();
  await as.expire(tokens.refresh_token!);
  as.clock.skew("-9m");
  const refused = await assertRejects(() => as.refresh(tokens), Refused) as Refused;
  assertEquals(refused.reason, "refresh_expired");
});

it("expire: explains values that hold no token of this server", async (as) => {
  const pending = as.login("alice");
  const wrong = [
    [pending, "expected a token, or a token response with one, but got a promise: await it first"],
    [undefined, "expected a token, or a token response with one, but got undefined"],
    [{}, "expected a token, or a token response with one, but got no access_token"],
    ["a.b.c", "expected an unchanged token of this server"],
  ] as const;
  for (const [tokens, message] of wrong) {
    await assertRejects(() => as.expire(tokens as string), TypeError, `Cannot expire: ${message}`);
  }
  await pending;
});

it("expire: the browser of the tokens is still known", async (as) => {
  const browser = as.browser();
  await as.endSession(await as.expire(await as.login("alice", { browser })));
  const silently = () => as.login("alice", { browser, prompt: "none" });
  assertEquals((await assertRejects(silently, Refused) as Refused).error, "login_required");
});

function bearer(token: string): Request {
  return new Request(`${api}/orders`, { headers: { authorization: `Bearer ${token}` } });
}
