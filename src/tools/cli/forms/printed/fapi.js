//: if not private_key_jwt
// this client authenticates with __METHOD__, and this program with private_key_jwt: name a configuration with such a client by --config
//: else if not login
// __SIGN_IN_PROBLEM__
//: else
// openid-client 6, for FAPI 2.0
import * as client from "openid-client";

// privateKey: the CryptoKey that belongs to the client's jwks
const server = new URL(__ISSUER__);
const authentication = client.PrivateKeyJwt(privateKey);
//: if insecure
const config = await client.discovery(server, __CLIENT_ID__, undefined, authentication, {
  execute: [client.allowInsecureRequests], // http, on this machine: FAPI 2.0 needs TLS
});
//: else
const config = await client.discovery(server, __CLIENT_ID__, undefined, authentication);
//: end
//: if needs_signed_responses
client.useJwtResponseMode(config);
//: end
const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
const pkceCodeVerifier = client.randomPKCECodeVerifier();
const expectedState = client.randomState();
//: if signs_requests
const signed = await client.buildAuthorizationUrlWithJAR(config, {
  redirect_uri: __REDIRECT_URI__,
  scope: __SCOPE__,
  state: expectedState,
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: "S256",
}, privateKey);
const url = await client.buildAuthorizationUrlWithPAR(config, signed.searchParams, { DPoP });
//: else
const url = await client.buildAuthorizationUrlWithPAR(config, {
  redirect_uri: __REDIRECT_URI__,
  scope: __SCOPE__,
  state: expectedState,
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: "S256",
}, { DPoP });
//: end
// send the browser to url.href; it comes back to the redirect URI, and currentUrl is its full URL, as a URL object:
const tokens = await client.authorizationCodeGrant(config, currentUrl, {
  pkceCodeVerifier,
  expectedState,
}, {}, { DPoP });
//: if openid
const { sub } = tokens.claims();
const person = await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP });
//: end
//: end
