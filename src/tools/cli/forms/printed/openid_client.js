// openid-client 6
import * as client from "openid-client";

// __SECRET_NOTE__
//: if none
const authentication = client.None();
//: else if client_secret_basic
const authentication = client.ClientSecretBasic(process.env.OAUTH_CLIENT_SECRET);
//: else if client_secret_post
const authentication = client.ClientSecretPost(process.env.OAUTH_CLIENT_SECRET);
//: else if client_secret_jwt
const authentication = client.ClientSecretJwt(process.env.OAUTH_CLIENT_SECRET);
//: else
// privateKey: the CryptoKey that belongs to the client's jwks
const authentication = client.PrivateKeyJwt(privateKey);
//: end
const server = new URL(__ISSUER__);
//: if insecure
const config = await client.discovery(server, __CLIENT_ID__, undefined, authentication, {
  execute: [client.allowInsecureRequests], // http, on this machine
});
//: else
const config = await client.discovery(server, __CLIENT_ID__, undefined, authentication);
//: end
//: if login
const pkceCodeVerifier = client.randomPKCECodeVerifier();
const expectedState = client.randomState();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: __REDIRECT_URI__,
  scope: __SCOPE__,
  state: expectedState,
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: "S256",
});
// send the browser to url.href; it comes back to the redirect URI, and currentUrl is its full URL, as a URL object:
const tokens = await client.authorizationCodeGrant(config, currentUrl, {
  pkceCodeVerifier,
  expectedState,
});
//: if openid
const { sub } = tokens.claims();
const person = await client.fetchUserInfo(config, tokens.access_token, sub);
//: end
//: else if itself
const tokens = await client.clientCredentialsGrant(config);
//: else
// __SIGN_IN_PROBLEM__
//: end
