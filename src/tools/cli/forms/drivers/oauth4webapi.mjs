// A login with oauth4webapi, for an examination by Postern. Change it to what your application does.
//   __STEPS__
import * as oauth from "oauth4webapi";

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_REDIRECT_URI, OAUTH_SCOPE, OAUTH_RESOURCE } = process.env;
const client = { client_id: OAUTH_CLIENT_ID };
const options = { [oauth.allowInsecureRequests]: true, signal: () => AbortSignal.timeout(5000) };
const issuer = new URL(OAUTH_ISSUER);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
const verifier = oauth.generateRandomCodeVerifier();
const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
const url = new URL(server.authorization_endpoint);
url.search = new URLSearchParams([
  ["client_id", OAUTH_CLIENT_ID],
  ["redirect_uri", OAUTH_REDIRECT_URI],
  ["response_type", "code"],
  ["scope", `${OAUTH_SCOPE} orders`], // the API wants orders
  ["state", state],
  ["nonce", nonce],
  ["code_challenge", await oauth.calculatePKCECodeChallenge(verifier)],
  ["code_challenge_method", "S256"],
  ["resource", OAUTH_ISSUER], // userinfo
  ["resource", OAUTH_RESOURCE],
]);
// The browser: the server signs in without a page.
const { headers } = await fetch(url, { redirect: "manual" });
const callback = oauth.validateAuthResponse(server, client, new URL(headers.get("location")), state);
const use = [server, client, oauth.None()];
const login = await oauth.authorizationCodeGrantRequest(...use, callback, OAUTH_REDIRECT_URI, verifier, options);
const checks = { expectedNonce: nonce, requireIdToken: true };
const tokens = await oauth.processAuthorizationCodeResponse(server, client, login, checks);
const { sub } = oauth.getValidatedIdTokenClaims(tokens);
const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token, options);
await oauth.processUserInfoResponse(server, client, sub, userinfo);
const api = new URL(OAUTH_RESOURCE);
let { refresh_token } = tokens;
for (let refreshes = 0; refreshes < 2; refreshes++) {
  const refresh = await oauth.refreshTokenGrantRequest(...use, refresh_token, options);
  const refreshed = await oauth.processRefreshTokenResponse(server, client, refresh);
  refresh_token = refreshed.refresh_token ?? refresh_token;
  const { access_token } = refreshed;
  const answer = await oauth.protectedResourceRequest(access_token, "GET", api, undefined, undefined, options);
  if (!answer.ok) throw new Error(`the API answers ${answer.status}`);
}
