/** Whole flows in one call, and the errors when one cannot succeed. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type Mock, type MockOptions, Refused } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { sampleKey } from "../../../world.ts";
import { encryptingClient, encryptionKeys } from "../../../server/tokens/encryption.ts";

const quick: MockOptions = { alg: "ES256" };

/** A key of a client, and its public part. */
const clientKey: JsonWebKey = sampleKey;
const { d: _d, ...publicKey } = sampleKey;

const signing = {
  client_id: "api",
  token_endpoint_auth_method: "private_key_jwt",
  redirect_uris: ["https://api.test/cb"],
  jwks: { keys: [publicKey] },
};

const it = testUsing(() => createMock(quick));

it("login: one call gives the tokens of a whole flow with PKCE", async (as) => {
  const tokens = await as.login("bob");
  assertEquals([tokens.token_type, tokens.expires_in], ["Bearer", 3600]);
  assertEquals(tokens.scope, "openid profile email offline_access");
  const access = decodeJwt(tokens.access_token);
  assertEquals([access.iss, access.sub, access["client_id"]], ["https://as.test", "bob", "app"]);
  assertEquals(decodeJwt(tokens.id_token!).aud, "app");
  assertMatch(tokens.refresh_token!, /^\S+$/);
  const { pkce, clientAuth, person, grantType, refusal } = as.requests.token.last!;
  assertEquals([pkce, clientAuth, person, grantType], ["S256", "none", "bob", "authorization_code"]);
  assertEquals(refusal, undefined);
  assertEquals([as.requests.authorize.length, as.requests.token.length], [1, 1]);
  // Without a name, the first person signs in.
  assertEquals(decodeJwt((await as.login()).access_token).sub, "alice");
});

test("login: without a name the person of automatic sign-in signs in, at each issuer its own", async () => {
  await using as = await createMock({ ...quick, login: { tokenx: "auto:bob", "*": "auto" } });
  const tokenx = as.tenant("tokenx");
  assertEquals(decodeJwt((await as.login()).access_token).sub, "alice");
  assertEquals(decodeJwt((await tokenx.login()).access_token).sub, "bob");
  assertEquals(decodeJwt(await tokenx.mint()).sub, "bob");
  assertEquals(decodeJwt((await tokenx.login("alice")).access_token).sub, "alice");
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

test("login: without a scope, the test asks for that of the client's metadata", async () => {
  const clients = [{ client_id: "app", redirect_uris: ["https://app.test/cb"], scope: "openid email" }];
  await using as = await createMock({ ...quick, clients });
  assertEquals((await as.login("alice")).scope, "openid email");
});

test("login: a private_key_jwt client authenticates with clientKey, and without it the error says so", async () => {
  await using as = await createMock({ ...quick, clients: [signing] });
  await as.refresh(await as.login("alice", { clientKey }));
  assertEquals(as.requests.token.last?.clientAuth, "private_key_jwt");
  await assertRejects(() => as.login("alice"), TypeError, "set clientKey to its private JWK");
  const half = "Cannot sign as the client api: expected its private JWK as clientKey, with the member d, ";
  await assertRejects(() => as.login("alice", { clientKey: publicKey }), TypeError, half);
});

test("login: a client signs by the test's clock, so a server with a skewed clock refuses it", async () => {
  await using as = await createMock({ ...quick, clients: [signing] });
  as.clock.freeze();
  for (const skew of ["1h", "-1h"]) {
    as.clock.skew(skew);
    const refused = await assertRejects(() => as.login("alice", { clientKey }), Refused) as Refused;
    assertEquals([skew, refused.error], [skew, "invalid_client"]);
  }
  as.clock.skew(0);
  assert((await as.login("alice", { clientKey })).access_token);
});

it("login: an answer without tokens is an error that names the hook", async (as) => {
  const answered = "Cannot log in: expected a token response, but the token endpoint answered 200";
  {
    using _hook = as.on("token_response", ({ status }) => ({ status, members: { token_type: "Bearer" } }));
    const message = `${answered} without an access_token: changed by "token_response"`;
    await assertRejects(() => as.login("alice"), Error, message);
  }
  as.on("response", (answer) => ({ ...answer, body: "canary" }), { endpoint: "token" });
  const { message } = await assertRejects(() => as.login("alice"), Error);
  assertEquals(message, `${answered} with no JSON object: changed by "response"`);
});

it("login: claims has the claims of the ID token as they are, also with a hook's changes", async (as) => {
  const tokens = await as.login("bob", { nonce: "n-0S6_WzA2Mj" });
  assertEquals(tokens.claims, decodeJwt(tokens.id_token!));
  assertEquals([tokens.claims?.sub, tokens.claims?.nonce], ["bob", "n-0S6_WzA2Mj"]);
  const refreshed = await as.refresh(tokens);
  assertEquals(refreshed.claims, decodeJwt(refreshed.id_token!));
  assertEquals(Object.hasOwn(await as.login("bob", { scope: "read" }), "claims"), false);

  using forging = as.on("id_token", (claims) => ({ ...claims, iss: "https://evil.test", role: "admin" }));
  const forged = await as.login("bob");
  assertEquals([forged.claims?.iss, forged.claims?.["role"]], ["https://evil.test", "admin"]);
  forging[Symbol.dispose]();

  for (const text of ["not a JWT", "e30.bnVsbA.c2ln"]) {
    using _replacing = as.on("token_response", ({ status, members }) => ({
      status,
      members: { ...members, id_token: text },
    }));
    assertEquals((await as.login("bob")).claims, undefined, text);
  }
});

test("login: deny refuses an unknown person, and needs no person if none is named", async () => {
  await using as = await createMock({ ...quick, people: [] });
  const unknown = 'There is no person zed: there are none. Add one with as.people.add({ username: "zed" })';
  await assertRejects(() => as.login("zed", { deny: true }), TypeError, unknown);
  assertEquals(as.requests.length, 0);
  const denied = await assertRejects(() => as.login(undefined, { deny: true }), Refused);
  assertEquals(denied.reason, "user_denied");
});

it("login: params replace the usual parameters, and an undefined one is ignored", async (as) => {
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
  assertMatch(message, /received .*ordres/);
  assertEquals(message, `Cannot log in: ${as.explain()}`);
});

test("login: a configured client stays itself at each of its redirect URIs", async () => {
  const redirect_uris = ["https://app.test/one", "https://app.test/two"];
  await using as = await createMock({
    ...quick,
    clients: [{ client_id: "app", client_secret: "secret", redirect_uris }],
  });
  for (const redirectUri of redirect_uris) {
    await as.login("alice", { client: "app", redirectUri });
    assertEquals(as.requests.token.last?.clientAuth, "client_secret_basic");
  }
});

it("login: an authorization response in a JWT is valid by the clock of the test (JARM §2.4)", async (as) => {
  for (const moment of ["2001-01-01", "2100-01-01"]) {
    as.clock.set(moment);
    assert((await as.login("bob", { responseMode: "jwt" })).access_token);
  }
});

it("login: the authorization response comes in the mode that the test asks for (JARM §2.3)", async (as) => {
  for (const responseMode of ["fragment", "jwt", "query.jwt", "fragment.jwt"] as const) {
    const { access_token } = await as.login("bob", { responseMode });
    assertEquals(decodeJwt(access_token).sub, "bob", responseMode);
    await assertRejects(() => as.login("bob", { responseMode, deny: true }), Refused, "access_denied");
  }
});

test("login: a response that is encrypted is read with the key of the client (JARM §2.4)", async () => {
  const clients = [encryptingClient({ authorization_encrypted_response_alg: "ECDH-ES" })];
  await using as = await createMock({ ...quick, clients });
  const decryptionKey = encryptionKeys["ECDH-ES"] as JsonWebKey;
  await as.login("bob", { responseMode: "jwt", decryptionKey });
  const wrong = encryptionKeys["RSA-OAEP-256"] as JsonWebKey;
  const { d: _, ...publicKey } = decryptionKey;
  const useless = [wrong, publicKey, { kty: "EC" }, { kty: "RSA", n: "?" }, {}];
  for (const given of [{}, ...useless.map((each) => ({ decryptionKey: each }))]) {
    const expected =
      "Cannot log in: expected the authorization response to be a signed JWT, but it is encrypted";
    await assertRejects(() => as.login("bob", { responseMode: "jwt", ...given }), Error, expected);
  }
});

it("login: a response that is a wrong JWT is refused as its client must (JARM §2.4)", async (as) => {
  const wrong = {
    audience_other: "aud",
    issuer_other: "iss",
    expired: "exp",
    other_key: "signature",
  } as const;
  for (const [fault, name] of Object.entries(wrong)) {
    using _misbehaving = as.misbehave(`jarm.${fault}` as "jarm.expired");
    const expected =
      `Cannot log in: a client must refuse this authorization response (JARM §2.4), because its ${name}`;
    const login = () => as.login("bob", { responseMode: "jwt" });
    const { message } = await assertRejects(login, Error, expected) as Error;
    assertMatch(message, /: expected (?!undefined).+, but got (?!undefined)./);
  }
  using _expired = as.misbehave("jarm.expired");
  using _issuer = as.misbehave("jarm.issuer_other");
  // It names the first of what is wrong.
  await assertRejects(() => as.login("bob", { responseMode: "jwt" }), Error, "because its iss is wrong");
  assertEquals(as.requests.token.length, 0);
});

/** A server that answers in the query, although the client has asked for a JWT. */
function answerPlainly(as: Mock): Disposable {
  return as.on("response", (answer) => {
    const { location } = answer.headers;
    const jwt = /(?<=[?#]response=)[^&]+/.exec(`${location}`)?.[0];
    if (jwt === undefined) return answer;
    const { iss: _iss, aud: _aud, exp: _exp, ...params } = decodeJwt(jwt);
    const plain = `${new URLSearchParams(params as Record<string, string>)}`;
    const changed = `${location}`.replace(`response=${jwt}`, plain);
    return { ...answer, headers: { ...answer.headers, location: changed } };
  });
}

const plainly = (mode: string) =>
  "Cannot log in: a client must refuse this authorization response (JARM §2.4), because its code is not in a JWT: " +
  `expected the parameter response, as response_mode=${mode} demands, but got code, state: changed by "response"`;

it("login: a plain code is refused if the client has asked for a JWT (JARM §2.4)", async (as) => {
  using _plain = answerPlainly(as);
  for (const responseMode of ["jwt", "query.jwt", "fragment.jwt"] as const) {
    for (const terms of [{ responseMode }, { params: { response_mode: responseMode } }]) {
      await assertRejects(() => as.login("bob", terms), Error, plainly(responseMode));
    }
    // A plain error is a refusal, too.
    await assertRejects(() => as.login("bob", { responseMode, scope: '"' }), Refused);
  }
  assertEquals(as.requests.token.length, 0);
});

test("login: a client that must have signed responses refuses a plain code (FAPI 2.0 Message Signing §5.4.2)", async () => {
  await using as = await createMock({
    ...quick,
    clients: [
      { client_id: "signing", redirect_uris: ["https://app.test/cb"], require_signed_response: true },
      { ...signing, client_id: "fapi", profile: "fapi2-message-signing" },
    ],
  });
  await as.login("bob", { client: "signing" });
  await as.login("bob", { client: "fapi", clientKey });
  using _plain = answerPlainly(as);
  for (const client of ["signing", "fapi"]) {
    await assertRejects(() => as.login("bob", { client, clientKey }), Error, plainly("jwt"));
  }
});
