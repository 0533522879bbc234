/** Calls of the client: login, refresh, revoke and endSession, and the errors when one cannot succeed. */

import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import type { TokenEndpointResponse } from "openid-client";
import { endSession } from "../../../src/mock/client/end_session.ts";
import { createTokenRecipients, type TokenRecipient } from "../../../src/mock/client/token_recipients.ts";
import { createTenant, type RunningTenant } from "../../../src/mock/create_tenant.ts";
import { createMock, type MockOptions, Refused, type Tokens } from "../../../src/mock/mod.ts";
import { test } from "../../runner.ts";

const quick: MockOptions = { alg: "ES256" };

function start(): RunningTenant {
  return createTenant({
    options: quick,
    name: "",
    issuer: () => "https://as.test",
    fetch: () => Promise.reject(new Error("this test does not fetch")),
  });
}

async function createKeys(): Promise<readonly [privateKey: JsonWebKey, publicKey: JsonWebKey]> {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]) as CryptoKeyPair;
  return [
    await crypto.subtle.exportKey("jwk", pair.privateKey),
    await crypto.subtle.exportKey("jwk", pair.publicKey),
  ];
}

function withKey(publicKey: JsonWebKey) {
  return {
    client_id: "api",
    token_endpoint_auth_method: "private_key_jwt",
    redirect_uris: ["https://api.test/cb"],
    jwks: { keys: [publicKey] },
  };
}

test("login: one call gives the tokens of a whole flow with PKCE", async () => {
  await using as = await createMock(quick);
  const tokens = await as.login("bob");
  assertEquals([tokens.token_type, tokens.expires_in], ["Bearer", 3600]);
  assertEquals(tokens.scope, "openid profile email offline_access");
  const access = decodeJwt(tokens.access_token);
  assertEquals([access.iss, access.sub, access["client_id"]], ["https://as.test", "bob", "app"]);
  assertEquals(decodeJwt(tokens.id_token!).aud, "app");
  assertMatch(tokens.refresh_token!, /^\S+$/);
  const { pkce, clientAuth, person, grantType, refusal } = as.requests.token.last!;
  assertEquals([pkce, clientAuth, person, grantType, refusal], [
    "S256",
    "none",
    "bob",
    "authorization_code",
    undefined,
  ]);
  assertEquals([as.requests.authorize.length, as.requests.token.length], [1, 1]);
});

test("login: without a name the first person signs in", async () => {
  await using as = await createMock(quick);
  assertEquals(decodeJwt((await as.login()).access_token).sub, "alice");
});

test("login: the tokens have the client, scope, resource and nonce that the test asks for", async () => {
  await using as = await createMock({ ...quick, scopes: { orders: "See orders" } });
  const tokens = await as.login("alice", {
    client: "app-confidential",
    scope: ["openid", "orders"],
    resource: ["https://api.test", "https://files.test"],
    nonce: "n-0S6_WzA2Mj",
  });
  const access = decodeJwt(tokens.access_token);
  assertEquals([access["client_id"], access["scope"]], ["app-confidential", "openid orders"]);
  assertEquals(access.aud, ["https://api.test", "https://files.test"]);
  assertEquals(decodeJwt(tokens.id_token!)["nonce"], "n-0S6_WzA2Mj");
  assertEquals(as.requests.token.last?.clientAuth, "client_secret_basic");
});

for (const method of ["client_secret_basic", "client_secret_post"] as const) {
  test(`login: a client authenticates with its registered method: ${method}`, async () => {
    const client = {
      client_id: "web: app",
      client_secret: "a+b %",
      token_endpoint_auth_method: method,
      redirect_uris: ["https://web.test/cb"],
    };
    await using as = await createMock({ ...quick, clients: [client] });
    await as.refresh(await as.login("alice"));
    assertEquals(as.requests.token.last?.clientAuth, method);
  });
}

test("login: a private_key_jwt client authenticates with clientKey, and without it the error says so", async () => {
  const [clientKey, publicKey] = await createKeys();
  await using as = await createMock({ ...quick, clients: [withKey(publicKey)] });
  await as.refresh(await as.login("alice", { clientKey }));
  assertEquals(as.requests.token.last?.clientAuth, "private_key_jwt");
  await assertRejects(() => as.login("alice"), TypeError, "give its private JWK as clientKey");
});

test("login: a client signs by the test's clock, so a server with a skewed clock refuses it", async () => {
  const [clientKey, publicKey] = await createKeys();
  await using as = await createMock({ ...quick, clients: [withKey(publicKey)] });
  as.clock.freeze();
  for (const skew of ["1h", "-1h"]) {
    as.clock.skew(skew);
    const refused = await assertRejects(() => as.login("alice", { clientKey }), Refused) as Refused;
    assertEquals([skew, refused.error], [skew, "invalid_client"]);
  }
  as.clock.skew(0);
  assert((await as.login("alice", { clientKey })).access_token);
});

test("login: the error says that a hook removed the token from the answer", async () => {
  await using as = await createMock(quick);
  const without = as.on("token_response", ({ status }) => ({ status, members: { token_type: "Bearer" } }));
  await assertRejects(
    () => as.login("alice"),
    Error,
    "Cannot log in: expected a token response, but the token endpoint answered 200 without an access_token: " +
      'changed by "token_response"',
  );
  without[Symbol.dispose]();
  as.on("response", (answer, { request }) => ({
    ...answer,
    ...(request.address.path === "/oauth2/token" ? { body: "canary" } : {}),
  }));
  const { message } = await assertRejects(() => as.login("alice"), Error) as Error;
  assertEquals(
    message,
    "Cannot log in: expected a token response, but the token endpoint answered 200 with no JSON object: " +
      'changed by "response"',
  );
});

test("login: with first use, an unknown client id becomes a client with its redirect URI", async () => {
  await using as = await createMock(quick);
  const tokens = await as.login("alice", { client: "cli", redirectUri: "http://127.0.0.1:5000/cb" });
  const next = await as.refresh(tokens);
  assertEquals(decodeJwt(next.access_token)["client_id"], "cli");
  await assertRejects(
    () => as.login("alice", { client: "cli", redirectUri: "https://other.test/cb" }),
    Refused,
  );
});

test("login: with deny it rejects with access_denied", async () => {
  await using as = await createMock(quick);
  const error = await assertRejects(() => as.login("alice", { deny: true }), Refused) as Refused;
  assertEquals([error.error, error.reason], ["access_denied", "user_denied"]);
  assertEquals(as.requests.token.length, 0);
});

test("login: deny refuses an unknown person, and needs no person if none is named", async () => {
  await using as = await createMock({ ...quick, people: [] });
  const { message } = await assertRejects(() => as.login("zed", { deny: true }), TypeError);
  assertEquals(
    message,
    'Nobody here is called zed: there is nobody; add them with as.people.add({ username: "zed" })',
  );
  assertEquals(as.requests.length, 0);
  const denied = await assertRejects(() => as.login(undefined, { deny: true }), Refused) as Refused;
  assertEquals(denied.reason, "user_denied");
});

test("login: params replace the usual parameters, and an undefined one is ignored", async () => {
  await using as = await createMock(quick);
  await as.login("bob", { params: { login_hint: undefined, state: undefined, max_age: "60" } });
  const sent = () => new URLSearchParams(as.requests.authorize.last!.raw().request.query);
  const query = sent();
  assertEquals([query.has("login_hint"), query.get("max_age")], [false, "60"]);
  assertMatch(query.get("state")!, /^[\w-]{22}$/);
  await as.login("bob", { params: { state: "mine" } });
  assertEquals(sent().getAll("state"), ["mine"]);
});

test("login: the error explains a refusal: the rule, what was expected and what was received", async () => {
  await using as = await createMock({ ...quick, scopes: { orders: "See orders" } });
  const { message } = await assertRejects(() => as.login("alice", { scope: "ordres" }), Refused);
  assertMatch(message, /^Cannot log in: invalid_scope \(scope_unknown\)/);
  assertMatch(message, /expected .*orders/);
  assertMatch(message, /came .*ordres/);
  assertEquals(message, `Cannot log in: ${as.explain()}`);
});

test("login: the error about an unknown person or client lists the known ones and says how to add one", async () => {
  await using as = await createMock(quick);
  await assertRejects(() => as.login("carol"), TypeError, "there is alice, bob; add them with as.people.add");
  await assertRejects(
    () => as.login("alice", { client: "shop" }),
    TypeError,
    "there is app, app-confidential; add it",
  );
  assertThrows(() => as.nextSignIn("carol"), TypeError, "Nobody here is called carol");
  assertEquals(as.requests.length, 0);
});

test("login: prompt=none succeeds only in a browser with a session and a remembered consent", async () => {
  await using as = await createMock(quick);
  const browser = as.browser();
  const silently = { prompt: "none", browser };
  const refused = await assertRejects(() => as.login("alice", silently), Refused) as Refused;
  assertEquals(refused.error, "login_required");
  const first = await as.login("alice", { browser });
  const second = await as.login("alice", silently);
  assertEquals(decodeJwt(second.id_token!)["sid"], decodeJwt(first.id_token!)["sid"]);
});

test("refresh: rotates the token, and the old one revokes the grant (OAuth 2.1 §4.3.1)", async () => {
  await using as = await createMock(quick);
  const first = await as.login("alice");
  const second = await as.refresh(first);
  assertNotEquals(second.refresh_token, first.refresh_token);
  const narrowed = await as.refresh(second, { scope: "openid" });
  assertEquals(narrowed.scope, "openid");
  const reused = await assertRejects(() => as.refresh(first), Refused) as Refused;
  assertEquals([reused.error, reused.reason], ["invalid_grant", "refresh_reused"]);
  await assertRejects(() => as.refresh(narrowed), Refused);
});

test("refresh: finds the client of a refresh token without its token response", async () => {
  await using as = await createMock(quick);
  const { refresh_token: token } = await as.login("alice", { client: "app-confidential" });
  const next = await as.refresh({ refresh_token: token! });
  assertEquals(decodeJwt(next.access_token)["client_id"], "app-confidential");
  await assertRejects(() => as.refresh({}), TypeError, "have no refresh_token");
  await assertRejects(
    () => as.refresh({ refresh_token: "unknown" }),
    TypeError,
    "does not know the token",
  );
});

test("refresh: takes a copy of the tokens, and uses the client's current secret", async () => {
  await using as = await createMock(quick);
  const tokens = await as.login("alice", { client: "app-confidential" });
  as.clients.change("app-confidential", { client_secret: "another-secret" });
  const next = await as.refresh({ ...tokens });
  assertEquals(decodeJwt((await as.refresh(next)).access_token)["client_id"], "app-confidential");
});

test("refresh and revoke: a value without a token is refused, and the error never shows its text", async () => {
  await using as = await createMock(quick);
  const pending = as.login("alice") as unknown as Tokens;
  for (
    const [tokens, came] of [
      [undefined, "undefined"],
      [null, "null"],
      [7, "a number"],
      [pending, "a promise: await it first"],
    ] as const
  ) {
    const wrong = tokens as unknown as Tokens;
    const refreshed =
      `Cannot refresh: expected a refresh token, or a token response with one, but got ${came}`;
    await assertRejects(() => as.refresh(wrong), TypeError, refreshed);
    const revoked = `Cannot revoke: expected a token, or a token response with one, but got ${came}`;
    await assertRejects(() => as.revoke(wrong), TypeError, revoked);
  }
  await pending;
  await assertRejects(() => as.revoke({}), TypeError, "but got neither refresh_token nor access_token");
  const { message } = await assertRejects(() => as.revoke("canary"), TypeError) as Error;
  assertEquals([message.includes("does not know the token"), message.includes("canary")], [true, false]);
});

test("refresh: takes the text of a refresh token, like revoke", async () => {
  await using as = await createMock(quick);
  const { refresh_token: token } = await as.login("bob");
  const next = await as.refresh(token as unknown as Tokens);
  assertEquals(decodeJwt(next.access_token).sub, "bob");
});

test("refresh, revoke and endSession: a misspelt term is refused", async () => {
  const { tenant: as, context } = start();
  await using _ = as;
  const tokens = await as.login("alice");
  const wrong = { scopes: "openid" } as object;
  await assertRejects(
    () => as.refresh(tokens, wrong),
    TypeError,
    "Cannot refresh: scopes is not known: did you mean scope?",
  );
  await assertRejects(
    () => as.revoke(tokens, wrong),
    TypeError,
    "Cannot revoke: scopes is not known: known are client, clientKey",
  );
  await assertRejects(
    () => endSession(tokens, wrong, context),
    TypeError,
    "Cannot end the session: scopes is not known: known are browser",
  );
});

test("revoke: the tokens are invalid afterwards", async () => {
  await using as = await createMock(quick);
  const tokens = await as.login("alice");
  const other = await as.login("alice");
  await as.revoke(tokens);
  await assertRejects(() => as.refresh(tokens), Refused);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  assertEquals((await as.fetch("https://as.test/userinfo", { headers })).status, 401);
  await as.revoke(other.access_token);
  assert((await as.refresh(other)).access_token);
});

for (const scope of ["openid", "orders"]) {
  test(`endSession: signs the person out, and the tokens of the session with ${scope} end`, async () => {
    await using as = await createMock(quick);
    const browser = as.browser();
    const tokens = await as.login("alice", { browser, scope });
    await as.endSession(tokens);
    await assertRejects(() => as.refresh(tokens), Refused);
    await assertRejects(() => as.login("alice", { browser, prompt: "none" }), Refused, "login_required");
  });
}

test("endSession: finds the browser of a copy of the tokens, of one token, and of refreshed tokens", async () => {
  await using as = await createMock(quick);
  for (const name of ["copy", "access_token", "refresh_token", "id_token", "refreshed"] as const) {
    const browser = as.browser();
    const tokens = await as.login("alice", { browser });
    const given = name === "copy"
      ? { ...tokens }
      : name === "refreshed"
      ? { ...await as.refresh(tokens) }
      : { [name]: tokens[name] };
    await as.endSession(given as Tokens);
    const silently = () => as.login("alice", { browser, prompt: "none" });
    assertEquals([name, (await assertRejects(silently, Refused) as Refused).error], [name, "login_required"]);
  }
});

test("endSession: tokens without a known browser are refused, unless the test names the browser", async () => {
  const { tenant: as, context } = start();
  await using _ = as;
  const browser = as.browser();
  await as.login("alice", { browser });
  const foreign: TokenEndpointResponse = { access_token: "foreign", token_type: "bearer" };
  await assertRejects(
    () => endSession(foreign, {}, context),
    TypeError,
    "These tokens did not come from as.login, so their browser is not known: give { browser }",
  );
  await assertRejects(
    () => endSession("text" as unknown as object, {}, context),
    TypeError,
    "but got a string",
  );
  assert((await as.login("alice", { browser, prompt: "none" })).access_token);
  await endSession(foreign, { browser }, context);
  await assertRejects(() => as.login("alice", { browser, prompt: "none" }), Refused, "login_required");
});

test("recipients: the last ten thousand token texts are remembered, and token responses as long as they exist", () => {
  const recipients = createTokenRecipients();
  const recipientNamed = (id: string): TokenRecipient => ({ client: { client_id: id } });
  const first = { access_token: "first" };
  recipients.set(first, recipientNamed("first"));
  recipients.set({ access_token: "again" }, recipientNamed("again"));
  for (let n = 0; n < 9_998; n++) recipients.set({ access_token: `${n}` }, recipientNamed("other"));
  const known = (tokens: Parameters<typeof recipients.get>[0]) => recipients.get(tokens)?.client.client_id;
  assertEquals([known("first"), known("again")], ["first", "again"]);
  recipients.set({ refresh_token: "again" }, recipientNamed("anew"));
  for (const id_token of ["later", "last"]) recipients.set({ id_token }, recipientNamed("last"));
  assertEquals([known("first"), known({ ...first }), known(first)], [undefined, undefined, "first"]);
  assertEquals([known("again"), known("0"), known("1"), known({ id_token: "last" })], [
    "anew",
    undefined,
    "other",
    "last",
  ]);
});

test("a thousand flows at once on one mock are independent", async () => {
  await using as = await createMock(quick);
  for (let n = 0; n < 20; n++) as.people.add({ username: `person-${n}` });
  const all = await Promise.all(
    Array.from({ length: 1000 }, async (_, n) => {
      const { access_token: token } = await as.login(`person-${n % 20}`, { nonce: `${n}` });
      return decodeJwt(token).sub === `person-${n % 20}` ? token : "another person's";
    }),
  );
  assertEquals(new Set(all).size, 1000);
});
