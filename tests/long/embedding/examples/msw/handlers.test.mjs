/** The mock among the handlers of MSW: the global fetch and node:http reach it, and other requests reach other handlers. */

import assert from "node:assert/strict";
import https from "node:https";
import { after, test } from "node:test";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import * as oauth from "oauth4webapi";
import { createMock } from "postern/mock";
import { mockHandlers } from "postern/msw";

const redirectUri = "https://app.test/callback";
const client = { client_id: "app" };
const as = await createMock({
  clients: [{ ...client, redirect_uris: [redirectUri] }],
  issuer: "https://id.test/idp",
});
const server = setupServer(
  ...mockHandlers(as, http),
  http.get("https://api.test/orders", () => HttpResponse.json([])),
  http.get("https://id.test/idp-2", () => HttpResponse.text("another page")),
);
server.listen({ onUnhandledFrame: "error" });
after(() => as.close().then(() => server.close()));

test("oauth4webapi signs in with the global fetch", async () => {
  const issuer = new URL(as.issuer);
  const found = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2" }),
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(found.authorization_endpoint);
  url.search = new URLSearchParams({
    ...{ ...client, redirect_uri: redirectUri, response_type: "code", scope: "openid" },
    ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
  });
  const params = oauth.validateAuthResponse(found, client, await as.authorize(url, { as: "alice" }));
  const response = await oauth.authorizationCodeGrantRequest(
    found,
    client,
    oauth.None(),
    params,
    redirectUri,
    verifier,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(found, client, response);
  assert.equal(oauth.getValidatedIdTokenClaims(tokens).sub, "alice");
});

test("node:https gets a redirect, and fetch follows it as it is told", async () => {
  const url =
    `${as.issuer}/oauth2/authorize?client_id=app&redirect_uri=${redirectUri}&response_type=code&prompt=none` +
    "&scope=openid&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";
  const response = await new Promise((resolve, reject) => https.get(url, resolve).on("error", reject));
  response.resume();
  assert.match(response.headers.location, /^https:\/\/app\.test\/callback\?error=login_required/);
  const fetched = await fetch(url, { redirect: "manual" });
  assert.equal(fetched.status, response.statusCode);
});

test("requests to other addresses reach the other handlers", async () => {
  assert.deepEqual(await (await fetch("https://api.test/orders")).json(), []);
  assert.equal(await (await fetch("https://id.test/idp-2")).text(), "another page");
  await assert.rejects(fetch("https://elsewhere.test/"), ({ cause }) => /MSW/.test(cause));
});
