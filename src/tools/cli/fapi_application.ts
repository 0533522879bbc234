/**
 * Prints a program for openid-client 6 that follows FAPI 2.0: with private_key_jwt, pushed requests and DPoP, and signed
 * requests and responses if the client must have them.
 */

import { type Application, lacksSignIn, quote } from "./application_terms.ts";

export function describeFapi(application: Application): readonly string[] {
  const { issuer, clientId, method, scope, redirectUris: [redirectUri] } = application;
  const { signsRequests, needsSignedResponses } = application;
  if (method !== "private_key_jwt") {
    return [`// this client authenticates with ${method}, and this program with private_key_jwt`];
  }
  if (redirectUri === undefined) return lacksSignIn(application).map((line) => `// ${line}`);
  const isHttp = issuer.startsWith("http:");
  return [
    "// openid-client 6, for FAPI 2.0",
    'import * as client from "openid-client";',
    "",
    "// privateKey: the CryptoKey that belongs to the client's jwks",
    `const server = new URL(${quote(issuer)});`,
    "const authentication = client.PrivateKeyJwt(privateKey);",
    `const config = await client.discovery(server, ${quote(clientId)}, undefined, authentication${
      isHttp ? ", {" : ");"
    }`,
    ...(isHttp
      ? ["  execute: [client.allowInsecureRequests], // http, on this machine: FAPI 2.0 needs TLS", "});"]
      : []),
    ...(needsSignedResponses ? ["client.useJwtResponseMode(config);"] : []),
    "const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());",
    "const pkceCodeVerifier = client.randomPKCECodeVerifier();",
    "const expectedState = client.randomState();",
    signsRequests
      ? "const signed = await client.buildAuthorizationUrlWithJAR(config, {"
      : "const url = await client.buildAuthorizationUrlWithPAR(config, {",
    `  redirect_uri: ${quote(redirectUri)},`,
    `  scope: ${quote(scope.join(" "))},`,
    "  state: expectedState,",
    "  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),",
    '  code_challenge_method: "S256",',
    ...(signsRequests
      ? [
        "}, privateKey);",
        "const url = await client.buildAuthorizationUrlWithPAR(config, signed.searchParams, { DPoP });",
      ]
      : ["}, { DPoP });"]),
    "// send the browser to url.href; it comes back to the redirect URI, and currentUrl is its full URL:",
    "const tokens = await client.authorizationCodeGrant(config, currentUrl, {",
    "  pkceCodeVerifier,",
    "  expectedState,",
    "}, {}, { DPoP });",
    ...(scope.includes("openid")
      ? [
        "const { sub } = tokens.claims();",
        "const person = await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP });",
      ]
      : []),
  ];
}
