/** Prints a program for openid-client 6: a complete flow in JavaScript. */

import { type Application, lacksSignIn, noteSecret, quote, secretName } from "./application_terms.ts";

export function describeOpenidClient(application: Application): readonly string[] {
  const { issuer, clientId, method } = application;
  return [
    "// openid-client 6",
    'import * as client from "openid-client";',
    "",
    ...noteSecret(application, "//"),
    ...(method === "private_key_jwt"
      ? ["// privateKey: the CryptoKey that belongs to the client's jwks"]
      : []),
    `const authentication = ${openidClientMethods[method]};`,
    `const server = new URL(${quote(issuer)});`,
    `const config = await client.discovery(server, ${quote(clientId)}, undefined, authentication${
      issuer.startsWith("http:") ? ", {" : ");"
    }`,
    ...(issuer.startsWith("http:")
      ? ["  execute: [client.allowInsecureRequests], // http, on this machine", "});"]
      : []),
    ...openidClientGrant(application),
  ];
}

const openidClientMethods: Readonly<Record<string, string>> = {
  none: "client.None()",
  client_secret_basic: `client.ClientSecretBasic(process.env.${secretName})`,
  client_secret_post: `client.ClientSecretPost(process.env.${secretName})`,
  client_secret_jwt: `client.ClientSecretJwt(process.env.${secretName})`,
  private_key_jwt: "client.PrivateKeyJwt(privateKey)",
};

function openidClientGrant(application: Application): readonly string[] {
  const { scope, redirectUris: [redirectUri], actsForItself } = application;
  if (redirectUri === undefined) {
    return actsForItself
      // Without scope the server grants what the client may have.
      ? ["const tokens = await client.clientCredentialsGrant(config);"]
      : lacksSignIn(application).map((line) => `// ${line}`);
  }
  return [
    "const pkceCodeVerifier = client.randomPKCECodeVerifier();",
    "const expectedState = client.randomState();",
    "const url = client.buildAuthorizationUrl(config, {",
    `  redirect_uri: ${quote(redirectUri)},`,
    `  scope: ${quote(scope.join(" "))},`,
    "  state: expectedState,",
    "  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),",
    '  code_challenge_method: "S256",',
    "});",
    "// send the browser to url.href; it comes back to the redirect URI, and currentUrl is its full URL:",
    "const tokens = await client.authorizationCodeGrant(config, currentUrl, {",
    "  pkceCodeVerifier,",
    "  expectedState,",
    "});",
    ...(scope.includes("openid")
      ? [
        "const { sub } = tokens.claims();",
        "const person = await client.fetchUserInfo(config, tokens.access_token, sub);",
      ]
      : []),
  ];
}
