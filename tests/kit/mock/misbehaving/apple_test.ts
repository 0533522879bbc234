/** The look-alike of Apple: the client secret as a JWT, the parameter `user`, the ID token, and the errors. */

import { assert, assertEquals } from "@std/assert";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { claimsOf } from "../../../server/tokens/bearer.ts";
import { test } from "../../../runner.ts";

const redirectUri = "https://app.test/callback";
const { privateKey, publicKey } = await generateKeyPair("ES256");
const jwks = { keys: [{ ...await exportJWK(publicKey), kid: "ABC123DEFG" }] };
const shop = {
  client_id: "shop",
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "private_key_jwt",
  jwks,
};

async function createApple(): Promise<Mock> {
  const as = await createMock({ alg: "ES256", clients: [shop] });
  as.lookLike("apple");
  return as;
}

const secondsOf = (as: Mock) => Math.floor(as.clock.now);

function createSecret(as: Mock, changed: JWTPayload = {}): Promise<string> {
  const now = secondsOf(as);
  const claims = {
    iss: "DEF123GHIJ",
    sub: "shop",
    aud: "https://appleid.apple.com",
    iat: now,
    exp: now + 300,
  };
  return new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: "ES256", kid: "ABC123DEFG" })
    .sign(privateKey);
}

function authorizeUrl(more: Readonly<Record<string, string>> = {}): string {
  const params = { client_id: "shop", response_type: "code", redirect_uri: redirectUri, state: "s", ...more };
  return `https://appleid.apple.com/auth/authorize?${new URLSearchParams(params)}`;
}

function post(as: Mock, path: "token" | "revoke", form: Readonly<Record<string, string>>): Promise<Response> {
  const body = new URLSearchParams({ client_id: "shop", ...form });
  return as.fetch(`https://appleid.apple.com/auth/${path}`, { method: "POST", body });
}

async function logIn(as: Mock, secret: string, scope = ""): Promise<Readonly<Record<string, unknown>>> {
  const code = scope === ""
    ? (await as.authorize(authorizeUrl(), { as: "alice" })).searchParams.get("code")!
    : (await comeBack(as, scope)).get("code")!;
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, client_secret: secret };
  return await (await post(as, "token", form)).json();
}

async function comeBack(as: Mock, scope: string): Promise<URLSearchParams> {
  const url = authorizeUrl({ scope, response_mode: "form_post" });
  return new URLSearchParams(await (await as.authorizeForm(url, { as: "alice" })).text());
}

test("look-alike apple: one client secret serves for many requests, and for six months", async () => {
  await using as = await createApple();
  const secret = await createSecret(as, { exp: secondsOf(as) + 15_777_000 });
  const { id_token: idToken, ...tokens } = await logIn(as, secret);
  assertEquals(Object.keys(tokens).sort(), ["access_token", "expires_in", "refresh_token", "token_type"]);
  assertEquals(claimsOf(idToken as string)["nonce_supported"], true);
  const refresh = {
    grant_type: "refresh_token",
    refresh_token: `${tokens["refresh_token"]}`,
    client_secret: secret,
  };
  for (let count = 0; count < 2; count++) {
    const refreshed = await (await post(as, "token", refresh)).json();
    assertEquals(Object.keys(refreshed).sort(), ["access_token", "expires_in", "id_token", "token_type"]);
  }
  assertEquals(
    (await post(as, "revoke", { token: `${tokens["refresh_token"]}`, client_secret: secret })).status,
    200,
  );
  assertEquals((await post(as, "token", refresh)).status, 400);
  assertEquals(as.requests.token.at(-1)?.refusal?.error, "invalid_grant");
});

test("look-alike apple: a client secret is refused with another key, issuer, audience or a longer life", async () => {
  await using as = await createApple();
  const now = secondsOf(as);
  const wrong = [
    [{ iss: "shop" }, "assertion_issuer"],
    [{ sub: "other" }, "client_id_differs"],
    [{ aud: "https://appleid.apple.com/auth/token" }, "assertion_audience"],
    [{ exp: now - 300 }, "assertion_expired"],
    [{ exp: now + 16_000_000 }, "assertion_too_long"],
  ] as const;
  for (const [claims, reason] of wrong) {
    const response = await logIn(as, await createSecret(as, claims));
    const { refusal } = as.requests.token.at(-1)!;
    assertEquals([response, refusal?.reason], [{ error: "invalid_client" }, reason]);
  }
  await logIn(as, "no JWT");
  assertEquals(as.requests.token.at(-1)?.refusal?.error, "invalid_client");
  const revoked = await post(as, "revoke", { token: "x", client_secret: "no JWT" });
  assertEquals([revoked.status, await revoked.json()], [400, { error: "invalid_client" }]);
  assertEquals(revoked.headers.get("www-authenticate"), null);
});

test("look-alike apple: at the own endpoints of the server, an assertion stays what RFC 7523 says", async () => {
  await using as = await createApple();
  const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_assertion: await createSecret(as, { aud: as.issuer }),
    client_assertion_type,
  });
  await as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", body });
  assertEquals(as.requests.token.at(-1)?.refusal?.reason, "assertion_issuer");
});

test("look-alike apple: the user is in the first authorization response only, and the email in each ID token", async () => {
  await using as = await createApple();
  const first = await comeBack(as, "name email");
  assertEquals([...first.keys()].sort(), ["code", "state", "user"]);
  assertEquals(JSON.parse(first.get("user")!), {
    name: { firstName: "Alice", lastName: "Adams" },
    email: "alice@example.com",
  });
  assertEquals([...(await comeBack(as, "name email")).keys()].sort(), ["code", "state"]);
  const { id_token: idToken } = await logIn(as, await createSecret(as), "email");
  const { email, email_verified: verified } = claimsOf(idToken as string);
  assertEquals([email, verified], ["alice@example.com", true]);
  const { id_token: without } = await logIn(as, await createSecret(as));
  assert(!("email" in claimsOf(without as string)));
});

test("look-alike apple: an authorization request with the scope name or email needs response_mode=form_post", async () => {
  await using as = await createApple();
  const refused = [
    ...["name", "email", "openid email", "name email"].map((scope) => ({ scope })),
    { scope: "name", response_mode: "query" },
  ];
  for (const more of refused) {
    const response = await as.fetch(authorizeUrl(more), { redirect: "manual" });
    assertEquals([response.status, as.requests.authorize.at(-1)?.refusal?.reason], [
      400,
      "provider_needs_form_post",
    ]);
  }
  const callback = await as.authorize(authorizeUrl({ scope: "openid" }), { as: "alice" });
  const form = { grant_type: "authorization_code", code: callback.searchParams.get("code")! };
  const secret = { redirect_uri: redirectUri, client_secret: await createSecret(as) };
  const { id_token } = await (await post(as, "token", { ...form, ...secret })).json();
  assertEquals([claimsOf(id_token).sub, "email" in claimsOf(id_token)], ["alice", false]);
});

test("look-alike apple: a code of no use is refused in Apple's words", async () => {
  await using as = await createApple();
  const callback = await as.authorize(authorizeUrl(), { as: "alice" });
  const code = callback.searchParams.get("code")!;
  const redeem = async (code: string) => {
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    return (await post(as, "token", { ...form, client_secret: await createSecret(as) })).json();
  };
  assertEquals(typeof (await redeem(code)).access_token, "string");
  const words = ["The code has already been used.", "The code has expired or has been revoked."];
  for (const [each, error_description] of [[code, words[0]], ["x", words[1]]] as const) {
    assertEquals(await redeem(each), { error: "invalid_grant", error_description });
  }
});
