// A login with openid-client, for an examination by Postern. Change it to what your application does.
//   __STEPS__
import * as client from "openid-client";

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_REDIRECT_URI, OAUTH_SCOPE, OAUTH_RESOURCE } = process.env;
const config = await client.discovery(new URL(OAUTH_ISSUER), OAUTH_CLIENT_ID, undefined, client.None(), {
  execute: [client.allowInsecureRequests], // http, on this machine
  timeout: 5,
});
const pkceCodeVerifier = client.randomPKCECodeVerifier();
const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: OAUTH_REDIRECT_URI,
  scope: `${OAUTH_SCOPE} orders`, // the API wants orders
  state: expectedState,
  nonce: expectedNonce,
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: "S256",
  resource: OAUTH_ISSUER, // userinfo
});
url.searchParams.append("resource", OAUTH_RESOURCE);
// The browser: the server signs in without a page.
const { headers } = await fetch(url, { redirect: "manual" });
const callback = new URL(headers.get("location"));
const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
const tokens = await client.authorizationCodeGrant(config, callback, checks);
await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
let { refresh_token } = tokens;
for (let refreshes = 0; refreshes < 2; refreshes++) {
  const refreshed = await client.refreshTokenGrant(config, refresh_token);
  refresh_token = refreshed.refresh_token ?? refresh_token;
  const { access_token } = refreshed;
  const answer = await client.fetchProtectedResource(config, access_token, new URL(OAUTH_RESOURCE), "GET");
  if (!answer.ok) throw new Error(`the API answers ${answer.status}`);
}
