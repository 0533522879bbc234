/** node:test: a client signs bob in through the global fetch, without a network. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as client from "openid-client";
import { createMock } from "postern/mock";

test("bob signs in to our application", async (t) => {
  const as = await createMock();
  t.after(() => as.close());
  as.intercept();

  const config = await client.discovery(new URL("https://as.test"), "app");
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: "https://app.test/callback",
    scope: "openid",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const callback = await as.authorize(url, { as: "bob" });
  const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier });

  assert.equal(tokens.claims()?.sub, "bob");
  assert.equal(as.requests.token.last?.pkce, "S256");
});
