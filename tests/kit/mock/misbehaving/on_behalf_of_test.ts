/** The on-behalf-of flow of Entra: an API exchanges the access token that it got for tokens of another API. */

import { assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { decodeJwt } from "jose";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const redirectUri = "https://app.test/callback";
const authority = "https://login.microsoftonline.com/organizations";
const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const secret = "the secret of the API";

const createApi = (lookLike: "entra") =>
  createMock({
    lookLike,
    people: [{ username: "alice", password: "wonderland", claims: { name: "Alice Adams" } }],
    clients: [
      { client_id: "page", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
      { client_id: "api", client_secret: secret, grant_types: [exchangeGrant, "refresh_token"] },
      { client_id: "small", client_secret: secret, grant_types: [exchangeGrant], scope: "openid User.Read" },
      { client_id: "no-api", client_secret: secret, grant_types: ["client_credentials"] },
    ],
  });

type Texts = Readonly<Record<string, string>>;

/** The page of the person logs in with this scope. */
async function getToken(as: Mock, scope: string, more: Texts = {}, base = "/oauth2/v2.0"): Promise<string> {
  const verifier = "a verifier of at least forty-three characters, as PKCE asks".replaceAll(/[ ,]/g, "-");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    ...{ client_id: "page", response_type: "code", redirect_uri: redirectUri, scope, state: "s" },
    ...more,
    ...{ code_challenge: Buffer.from(digest).toString("base64url"), code_challenge_method: "S256" },
  });
  const callback = await as.authorize(`${authority}${base}/authorize?${query}`, { username: "alice" });
  const form = new URLSearchParams({
    ...{ client_id: "page", grant_type: "authorization_code", redirect_uri: redirectUri },
    ...{ code: callback.searchParams.get("code")!, code_verifier: verifier },
  });
  const answer = await as.fetch(`${authority}${base}/token`, { method: "POST", body: form });
  return (await answer.json()).access_token;
}

async function exchange(as: Mock, assertion: string, more: Texts = {}, path = "/oauth2/v2.0/token") {
  const form = {
    ...{
      grant_type: jwtBearer,
      requested_token_use: "on_behalf_of",
      client_id: "api",
      client_secret: secret,
    },
    ...{ assertion, scope: "https://graph.microsoft.com/User.Read offline_access openid profile", ...more },
  };
  const answer = await as.fetch(authority + path, { method: "POST", body: new URLSearchParams(form) });
  return { status: answer.status, body: await answer.json() };
}

async function refresh(as: Mock, token: string): Promise<string> {
  const form = { grant_type: "refresh_token", refresh_token: token, client_id: "api", client_secret: secret };
  const body = new URLSearchParams(form);
  const answer = await as.fetch(`${authority}/oauth2/v2.0/token`, { method: "POST", body });
  return (await answer.json()).access_token;
}

test("on behalf of: an API gets tokens of another API, and may refresh them", async () => {
  await using as = await createApi("entra");
  const { status, body } = await exchange(as, await getToken(as, "api://api/access"));
  assertEquals([status, body.token_type], [200, "Bearer"]);
  assertEquals(decodeJwt(body.access_token)["azp"], "api");
  assertEquals(decodeJwt(body.id_token)["preferred_username"], "alice");
  const headers = { authorization: `Bearer ${body.access_token}` };
  const me = await as.fetch("https://graph.microsoft.com/v1.0/me", { headers });
  assertEquals((await me.json()).displayName, "Alice Adams");
  assertEquals(decodeJwt(await refresh(as, body.refresh_token))["azp"], "api");
  const one = { client_id: "small", scope: "User.Read" };
  assertEquals((await exchange(as, await getToken(as, "api://small/x"), one)).status, 200);
});

test("on behalf of: the new login has the time and the methods of the person, and nothing else of the old one", async () => {
  await using as = await createApi("entra");
  const asked = { nonce: "of the page", resource: "api://api" };
  const old = await getToken(as, "openid api://api/access", asked);
  await as.clock.advance(60);
  const { body } = await exchange(as, old);
  assertEquals(as.requests.last?.person, "alice");
  const claims = decodeJwt(body.id_token);
  assertEquals([claims["auth_time"], claims["amr"]], [decodeJwt(old)["auth_time"], ["pwd"]]);
  assertEquals(claims["nonce"], undefined);
  const refreshed = await refresh(as, body.refresh_token);
  assertEquals(decodeJwt(refreshed)["aud"], decodeJwt(body.access_token)["aud"]);
});

test("on behalf of: version 1.0 has a resource in place of the scope", async () => {
  await using as = await createApi("entra");
  const resource = { resource: "https://graph.microsoft.com" };
  const token = await getToken(as, "openid", { resource: "api://api" }, "/oauth2");
  const { status, body } = await exchange(as, token, resource, "/oauth2/token");
  assertEquals([status, body.resource], [200, "https://graph.microsoft.com"]);
  await exchange(as, token, { client_id: "small", ...resource }, "/oauth2/token");
  const { expected, received } = as.requests.last!.refusal!;
  assertEquals([expected, received], ["small", "api://api"]);
});

const refused: readonly (readonly [string, (as: Mock) => Promise<string>, Texts, string, number, string?])[] =
  [
    ["a token of another API", (as) => getToken(as, "api://other/x"), {}, "invalid_grant", 500131],
    ["a token of Graph", (as) => getToken(as, "User.Read"), {}, "invalid_grant", 500131],
    ["a text that is no token", () => Promise.resolve("a.b.c"), {}, "invalid_grant", 50013],
    [
      ...["a token that has expired", async (as: Mock) => {
        const token = await getToken(as, "api://api/access");
        await as.clock.advance(7200);
        return token;
      }] as const,
      ...[{}, "invalid_grant", 500133] as const,
    ],
    [
      ...["a scope that the client may not have", (as: Mock) => getToken(as, "api://small/x")] as const,
      ...[{ client_id: "small", scope: "Mail.Read" }, "invalid_grant", 65001, "consent_required"] as const,
    ],
    [
      ...["one scope too many", (as: Mock) => getToken(as, "api://small/x")] as const,
      ...[{ client_id: "small", scope: "User.Read Mail.Read" }, "invalid_grant", 65001] as const,
      "consent_required",
    ],
    [
      ...["a scope without a name", (as: Mock) => getToken(as, "api://api/access")] as const,
      ...[{ scope: " " }, "invalid_grant", 65001, "consent_required"] as const,
    ],
    [
      ...["a client without the grant", (as: Mock) => getToken(as, "api://no-api/x")] as const,
      ...[{ client_id: "no-api" }, "unauthorized_client", 70001] as const,
    ],
  ];

for (const [what, getAssertion, more, error, number, suberror] of refused) {
  test(`on behalf of: ${what} is refused as at Entra`, async () => {
    await using as = await createApi("entra");
    const { status, body } = await exchange(as, await getAssertion(as), more);
    assertEquals([status, body.error, body.error_codes], [400, error, [number]]);
    assertEquals(body.suberror, suberror);
    assertMatch(body.error_description, new RegExp(`^AADSTS${number}: `));
  });
}

test("on behalf of: a client that acts for itself has no person", async () => {
  await using as = await createApi("entra");
  const form = { grant_type: "client_credentials", client_id: "no-api", client_secret: secret };
  const answer = await as.fetch(`${authority}/oauth2/v2.0/token`, {
    ...{ method: "POST", body: new URLSearchParams({ ...form, scope: "api://api/.default" }) },
  });
  const { access_token } = await answer.json();
  const { status, body } = await exchange(as, access_token);
  assertEquals([status, body.error], [400, "invalid_grant"]);
  assertEquals(as.requests.last?.refusal?.reason, "on_behalf_of_without_person");
});

test("on behalf of: the server's own token endpoint has no such parameter", async () => {
  await using as = await createApi("entra");
  const form = { grant_type: jwtBearer, requested_token_use: "on_behalf_of", assertion: "a.b.c" };
  const headers = { authorization: `Basic ${btoa(`api:${encodeURIComponent(secret)}`)}` };
  const body = new URLSearchParams(form);
  const answer = await as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", headers, body });
  assertEquals((await answer.json()).error, "unsupported_grant_type");
});
