/** Prints programs for the TypeScript SDK of the Model Context Protocol: an MCP client, and the checks of an MCP server. */

import { sendsSecret } from "../../server/oauth/clients/client.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import {
  type Application,
  lacksSignIn,
  type LoginApplication,
  mcpUrlOf,
  noteSecret,
  quote,
  secretName,
} from "./application_terms.ts";

export function describeMcp(application: Application, settings: Settings): readonly string[] {
  const url = mcpUrlOf(settings);
  return [...describeClient(application, url), "", ...describeServer(url, settings)];
}

function describeClient(application: Application, url: string): readonly string[] {
  const { method, redirectUris: [redirectUri], actsForItself } = application;
  return [
    "// MCP client: @modelcontextprotocol/sdk 1",
    ...noteSecret(application, "//"),
    ...(method === "private_key_jwt"
      ? ["// privateKey: the private key that belongs to the client's jwks (a JWK, or PEM)"]
      : []),
    ...(redirectUri !== undefined
      ? logIn({ ...application, redirectUri }, url)
      : actsForItself
      ? actForItself(application, url)
      : lacksSignIn(application).map((line) => `// ${line}`)),
  ];
}

function logIn(application: LoginApplication, url: string): readonly string[] {
  const { issuer, clientId, scope, method, redirectUri } = application;
  const signer = signers[method];
  const information = [
    `client_id: ${quote(clientId)}`,
    ...(sendsSecret(method)
      ? [`client_secret: process.env.${secretName}`, `token_endpoint_auth_method: ${quote(method)}`]
      : []),
    // The SDK gives the client's credentials to no other server.
    `issuer: ${quote(issuer)}`,
  ];
  return [
    'import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";',
    ...(signer !== undefined
      ? ['import { createPrivateKeyJwtAuth } from "@modelcontextprotocol/sdk/client/auth-extensions.js";']
      : []),
    ...clientImports,
    "",
    "const saved = { state: crypto.randomUUID() };",
    "const authProvider = {",
    `  redirectUrl: ${quote(redirectUri)},`,
    `  clientMetadata: { redirect_uris: [${quote(redirectUri)}], scope: ${quote(scope.join(" "))} },`,
    `  clientInformation: () => ({ ${information.join(", ")} }),`,
    ...(signer !== undefined
      ? [
        "  addClientAuthentication: createPrivateKeyJwtAuth({",
        `    issuer: ${quote(clientId)}, subject: ${
          quote(clientId)
        }, ${signer.privateKey}, alg: "${signer.alg}",`,
        "  }),",
      ]
      : []),
    "  state: () => saved.state,",
    "  tokens: () => saved.tokens,",
    "  saveTokens: (tokens) => void (saved.tokens = tokens),",
    "  codeVerifier: () => saved.codeVerifier,",
    "  saveCodeVerifier: (codeVerifier) => void (saved.codeVerifier = codeVerifier),",
    "  redirectToAuthorization: (address) => void (saved.address = address),",
    "};",
    `const open = () => new StreamableHTTPClientTransport(new URL(${quote(url)}), { authProvider });`,
    'const client = new Client({ name: "my-mcp-client", version: "1.0.0" });',
    "const transport = open();",
    "try {",
    "  await client.connect(transport);",
    "} catch (error) {",
    "  if (!(error instanceof UnauthorizedError)) throw error;",
    "  // send the browser to saved.address; it comes back to the redirect URI, and currentUrl is its full URL:",
    '  const [state, iss, code] = ["state", "iss", "code"].map((name) => currentUrl.searchParams.get(name));',
    `  if (state !== saved.state || iss !== ${quote(issuer)}) throw new Error("not our answer");`,
    "  await transport.finishAuth(code);",
    "  await client.connect(open());",
    "}",
  ];
}

const clientImports: readonly string[] = [
  'import { Client } from "@modelcontextprotocol/sdk/client/index.js";',
  'import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";',
];

/** How the SDK signs an assertion, by the client's method: the option with the key, and the algorithm. */
const signers: Readonly<Record<string, { readonly privateKey: string; readonly alg: string }>> = {
  private_key_jwt: { privateKey: "privateKey", alg: "ES256" },
  client_secret_jwt: { privateKey: `privateKey: process.env.${secretName}`, alg: "HS256" },
};

/** Returns a client that uses the client credentials grant. The SDK authenticates it with Basic, or an assertion. */
function actForItself({ issuer, clientId, method }: Application, url: string): readonly string[] {
  const signer = signers[method];
  const provider = signer !== undefined ? "PrivateKeyJwtProvider" : "ClientCredentialsProvider";
  return [
    ...(method === "client_secret_post"
      ? ["// the SDK authenticates with client_secret_basic here: register that method for this client"]
      : []),
    `import { ${provider} } from "@modelcontextprotocol/sdk/client/auth-extensions.js";`,
    ...clientImports,
    "",
    `const authProvider = new ${provider}({`,
    `  clientId: ${quote(clientId)},`,
    ...(signer !== undefined
      ? [`  ${signer.privateKey},`, `  algorithm: "${signer.alg}",`]
      : [`  clientSecret: process.env.${secretName},`]),
    `  expectedIssuer: ${quote(issuer)},`,
    "});",
    'const client = new Client({ name: "my-mcp-client", version: "1.0.0" });',
    `await client.connect(new StreamableHTTPClientTransport(new URL(${quote(url)}), { authProvider }));`,
  ];
}

function describeServer(
  url: string,
  { issuer, basePath, accessTokens, accessTokenType }: Settings,
): readonly string[] {
  if (accessTokens === "opaque") {
    return ["// An MCP server asks the introspection endpoint about opaque tokens."];
  }
  const metadata = `${new URL(issuer).origin}/.well-known/oauth-authorization-server${basePath}`;
  return [
    "// MCP server: @modelcontextprotocol/sdk 1, express 5, jose 6. app is the Express application.",
    'import { createRemoteJWKSet, jwtVerify } from "jose";',
    'import { InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";',
    'import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";',
    "import {",
    "  getOAuthProtectedResourceMetadataUrl,",
    "  mcpAuthMetadataRouter,",
    '} from "@modelcontextprotocol/sdk/server/auth/router.js";',
    "",
    `const resourceServerUrl = new URL(${quote(url)}); // the address of the MCP server itself`,
    `const oauthMetadata = await (await fetch(${quote(metadata)})).json();`,
    "const keys = createRemoteJWKSet(new URL(oauthMetadata.jwks_uri));",
    "const terms = {",
    `  issuer: ${quote(issuer)},`,
    "  audience: resourceServerUrl.href,",
    `  typ: ${quote(accessTokenType === "JWT" ? "JWT" : "at+jwt")},`,
    '  requiredClaims: ["exp", "client_id"],',
    "};",
    "async function verifyAccessToken(token) {",
    "  const { payload } = await jwtVerify(token, keys, terms).catch(({ message }) => {",
    "    throw new InvalidTokenError(message);",
    "  });",
    "  const { client_id: clientId, scope, exp: expiresAt, sub } = payload;",
    '  return { token, clientId, scopes: scope.split(" "), expiresAt, extra: { person: sub } };',
    "}",
    "app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl }));",
    "app.use(",
    "  resourceServerUrl.pathname,",
    "  requireBearerAuth({",
    "    verifier: { verifyAccessToken },",
    "    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),",
    "  }),",
    ");",
  ];
}
