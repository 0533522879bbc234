/** Whole flows in one call: what a test sees of them, and what is said where one cannot be. */

import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type MockOptions, Refused } from "../../src/mock/mod.ts";
import { test } from "../runner.ts";

const quick: MockOptions = { alg: "ES256" };

test("login: one statement, and the tokens of a whole flow with PKCE are there", async () => {
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

test("login: without a name it is the first person", async () => {
  await using as = await createMock(quick);
  assertEquals(decodeJwt((await as.login()).access_token).sub, "alice");
});

test("login: client, scope, resource and nonce are those that were asked for", async () => {
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
  test(`login: a client authenticates as it is registered: ${method}`, async () => {
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

test("login: a client with a key of its own signs in with it, and without the key it is told so", async () => {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const [clientKey, publicKey] = await Promise.all([
    crypto.subtle.exportKey("jwk", (pair as CryptoKeyPair).privateKey),
    crypto.subtle.exportKey("jwk", (pair as CryptoKeyPair).publicKey),
  ]);
  const client = {
    client_id: "api",
    token_endpoint_auth_method: "private_key_jwt",
    redirect_uris: ["https://api.test/cb"],
    jwks: { keys: [publicKey] },
  };
  await using as = await createMock({ ...quick, clients: [client] });
  await as.refresh(await as.login("alice", { clientKey }));
  assertEquals(as.requests.token.last?.clientAuth, "private_key_jwt");
  await assertRejects(() => as.login("alice"), TypeError, "give its private JWK as clientKey");
});

test("login: a client id that nobody configured becomes a client with its redirect URI", async () => {
  await using as = await createMock(quick);
  const tokens = await as.login("alice", { client: "cli", redirectUri: "http://127.0.0.1:5000/cb" });
  const next = await as.refresh(tokens);
  assertEquals(decodeJwt(next.access_token)["client_id"], "cli");
  await assertRejects(
    () => as.login("alice", { client: "cli", redirectUri: "https://other.test/cb" }),
    Refused,
  );
});

test("login: who says no gets no tokens, and the error says so", async () => {
  await using as = await createMock(quick);
  const error = await assertRejects(() => as.login("alice", { deny: true }), Refused) as Refused;
  assertEquals([error.error, error.reason], ["access_denied", "user_denied"]);
  assertEquals(as.requests.token.length, 0);
});

test("login: a refusal is explained in the error: the rule, what was expected, and what came", async () => {
  await using as = await createMock({ ...quick, scopes: { orders: "See orders" } });
  const { message } = await assertRejects(() => as.login("alice", { scope: "ordres" }), Refused);
  assertMatch(message, /^Cannot log in: invalid_scope \(scope_unknown\)/);
  assertMatch(message, /expected .*orders/);
  assertMatch(message, /came .*ordres/);
  assertEquals(message, `Cannot log in: ${as.explain()}`);
});

test("login: an unknown person or client is told who there is, and how to add one", async () => {
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

test("login: prompt=none succeeds in a browser that is signed in and has agreed, and nowhere else", async () => {
  await using as = await createMock(quick);
  const browser = as.browser();
  const silently = { prompt: "none", browser };
  const refused = await assertRejects(() => as.login("alice", silently), Refused) as Refused;
  assertEquals(refused.error, "login_required");
  const first = await as.login("alice", { browser });
  const second = await as.login("alice", silently);
  assertEquals(decodeJwt(second.id_token!)["sid"], decodeJwt(first.id_token!)["sid"]);
});

test("refresh: rotates, and the old token ends everything it gave (OAuth 2.1 §4.3.1)", async () => {
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

test("refresh: a refresh token by itself finds its client", async () => {
  await using as = await createMock(quick);
  const { refresh_token: token } = await as.login("alice", { client: "app-confidential" });
  const next = await as.refresh({ refresh_token: token! });
  assertEquals(decodeJwt(next.access_token)["client_id"], "app-confidential");
  await assertRejects(() => as.refresh({}), TypeError, "hold no refresh_token");
  await assertRejects(() => as.refresh({ refresh_token: "somebody's" }), TypeError, "was not given here");
});

test("revoke: what was given is good for nothing afterwards", async () => {
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
  test(`endSession: the person has signed out, and tokens with ${scope} that lived by it end`, async () => {
    await using as = await createMock(quick);
    const browser = as.browser();
    const tokens = await as.login("alice", { browser, scope });
    await as.endSession(tokens);
    await assertRejects(() => as.refresh(tokens), Refused);
    await assertRejects(() => as.login("alice", { browser, prompt: "none" }), Refused, "login_required");
  });
}

test("a thousand flows at once on one mock do not see each other", async () => {
  await using as = await createMock(quick);
  for (let n = 0; n < 20; n++) as.people.add({ username: `person-${n}` });
  const all = await Promise.all(
    Array.from({ length: 1000 }, async (_, n) => {
      const { access_token: token } = await as.login(`person-${n % 20}`, { nonce: `${n}` });
      return decodeJwt(token).sub === `person-${n % 20}` ? token : "somebody else's";
    }),
  );
  assertEquals(new Set(all).size, 1000);
});
