/** A fetch without a network: foreign clients complete their flows with it, and it fails like the network does. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import * as jose from "jose";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { createMock, type Mock } from "../../src/mock/mod.ts";
import { test } from "../runner.ts";

const redirectUri = "https://app.test/callback";

async function runWithOauth4webapi(as: Mock): Promise<string> {
  const options = { [oauth.customFetch]: as.fetch };
  const issuer = new URL(as.issuer);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
  const app: oauth.Client = { client_id: "app" };
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(server.authorization_endpoint!);
  url.search = new URLSearchParams({
    ...{
      client_id: "app",
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid email",
      state,
      nonce,
    },
    ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
  }).toString();
  const params = oauth.validateAuthResponse(server, app, await as.authorize(url, { as: "bob" }), state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    app,
    oauth.None(),
    params,
    redirectUri,
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, app, response, {
    expectedNonce: nonce,
  });
  const info = await oauth.userInfoRequest(server, app, tokens.access_token, options);
  const { sub, email } = await oauth.processUserInfoResponse(server, app, "bob", info);
  assertEquals([sub, email], ["bob", "bob@example.com"]);
  return tokens.access_token;
}

test("fetch: oauth4webapi completes discovery, code flow and userinfo with no socket open", async () => {
  await using as = await createMock();
  await runWithOauth4webapi(as);
});

test("fetch: any https issuer will do, with a path too", async () => {
  await using as = await createMock({ issuer: "https://login.shop.example/tenant/7", firstUse: true });
  await runWithOauth4webapi(as);
});

test("fetch: openid-client completes code flow, refresh, userinfo and revocation with no socket open", async () => {
  await using as = await createMock();
  const config = await client.discovery(
    new URL(as.issuer),
    "app-confidential",
    undefined,
    client.ClientSecretBasic("app-secret"),
    { [client.customFetch]: as.fetch },
  );
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    ...{ redirect_uri: redirectUri, scope: "openid offline_access", state: expectedState },
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const checks = { pkceCodeVerifier, expectedState };
  const tokens = await client.authorizationCodeGrant(config, await as.authorize(url), checks);
  assertEquals(tokens.claims()?.sub, "alice");
  const next = await client.refreshTokenGrant(config, tokens.refresh_token!);
  assertEquals((await client.fetchUserInfo(config, next.access_token, "alice")).sub, "alice");
  await client.tokenRevocation(config, next.refresh_token!);
  await assertRejects(() => client.refreshTokenGrant(config, next.refresh_token!));
});

test("fetch: jose fetches the keys and verifies a token with them", async () => {
  await using as = await createMock({ alg: "EdDSA" });
  const { access_token: token } = await as.login("alice");
  const keys = jose.createRemoteJWKSet(new URL(`${as.issuer}/oauth2/jwks`), { [jose.customFetch]: as.fetch });
  const { payload } = await jose.jwtVerify(token, keys, { issuer: as.issuer, audience: as.issuer });
  assertEquals(payload.sub, "alice");
});

test("fetch: takes text, URLs and requests, and answers with the URL that was asked for", async () => {
  await using as = await createMock();
  const url = `${as.issuer}/oauth2/jwks`;
  for (const input of [url, new URL(`${url}#here`), new Request(url)]) {
    const response = await as.fetch(input);
    assertEquals([response.status, response.url, response.redirected], [200, url, false]);
    await response.body?.cancel();
  }
});

test("fetch: redirects are followed, told, or refused, as the caller wants it", async () => {
  await using as = await createMock({
    fetch: (input) => Promise.resolve(new Response(`went to ${(input as Request).url}`)),
  });
  as.nextSignIn("alice");
  const url = `${as.issuer}/oauth2/authorize?${new URLSearchParams({
    ...{ client_id: "app", redirect_uri: redirectUri, response_type: "code" },
    ...{ code_challenge: "x".repeat(43), code_challenge_method: "S256" },
  })}`;
  const followed = await as.fetch(url);
  assert((await followed.text()).startsWith(`went to ${redirectUri}?code=`));
  as.nextSignIn({ deny: true });
  const told = await as.fetch(url, { redirect: "manual" });
  assertEquals([told.status, told.headers.get("location")?.includes("access_denied")], [303, true]);
  as.nextSignIn("alice");
  await assertRejects(() => as.fetch(url, { redirect: "error" }), TypeError, "redirects to");
});

test("fetch: another server's address is refused with what to do", async () => {
  await using as = await createMock();
  for (const url of ["https://api.test/", "https://as.test:8443/", "http://as.test/"]) {
    await assertRejects(
      () => as.fetch(url),
      TypeError,
      "This fetch answers for https://as.test, and was asked for",
    );
  }
});

test("fetch: an aborted request is over at once, whatever the server is doing", async () => {
  await using as = await createMock();
  const gate = as.hold("jwks");
  const abort = new AbortController();
  const reason = new Error("enough");
  const asked = as.fetch(`${as.issuer}/oauth2/jwks`, { signal: abort.signal });
  await gate.arrived();
  abort.abort(reason);
  await assertRejects(() => asked, Error, "enough");
  await assertRejects(() => as.fetch(as.issuer, { signal: AbortSignal.abort(reason) }), Error, "enough");
  gate.release();
});

test("fetch: a lost answer looks like a broken connection, and its work is done", async () => {
  await using as = await createMock();
  const tokens = await as.login("alice");
  using _drop = as.drop("token", { count: 1 });
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token!,
    client_id: "app",
  });
  const send = () => as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", body: form });
  const error = await assertRejects(send, TypeError, "fetch failed") as TypeError & {
    cause: { code: string };
  };
  assertEquals(error.cause.code, "ECONNRESET");
  const again = await send();
  assertEquals([again.status, (await again.json()).error], [400, "invalid_grant"]);
  assertEquals(as.requests.token.last?.refusal?.reason, "refresh_reused");
});
