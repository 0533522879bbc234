// MCP client: @modelcontextprotocol/sdk 1
// __SECRET_NOTE__
//: if private_key_jwt
// privateKey: the private key that belongs to the client's jwks (a JWK, or PEM)
//: end
//: if login
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
//: if signs
import { createPrivateKeyJwtAuth } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
//: end
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const saved = { state: crypto.randomUUID() };
const authProvider = {
  redirectUrl: __REDIRECT_URI__,
  clientMetadata: { redirect_uris: [__REDIRECT_URI__], scope: __SCOPE__ },
//: if sends_secret
  clientInformation: () => ({ client_id: __CLIENT_ID__, client_secret: process.env.OAUTH_CLIENT_SECRET, token_endpoint_auth_method: "__METHOD__", issuer: __ISSUER__ }),
//: else
  clientInformation: () => ({ client_id: __CLIENT_ID__, issuer: __ISSUER__ }),
//: end
//: if client_secret_jwt
  addClientAuthentication: createPrivateKeyJwtAuth({
    issuer: __CLIENT_ID__, subject: __CLIENT_ID__, privateKey: process.env.OAUTH_CLIENT_SECRET, alg: "HS256",
  }),
//: else if private_key_jwt
  addClientAuthentication: createPrivateKeyJwtAuth({
    issuer: __CLIENT_ID__, subject: __CLIENT_ID__, privateKey, alg: "ES256",
  }),
//: end
  state: () => saved.state,
  tokens: () => saved.tokens,
  saveTokens: (tokens) => void (saved.tokens = tokens),
  codeVerifier: () => saved.codeVerifier,
  saveCodeVerifier: (codeVerifier) => void (saved.codeVerifier = codeVerifier),
  redirectToAuthorization: (address) => void (saved.address = address),
};
const open = () => new StreamableHTTPClientTransport(new URL(__MCP_URL__), { authProvider });
const client = new Client({ name: "my-mcp-client", version: "1.0.0" });
const transport = open();
try {
  await client.connect(transport);
} catch (error) {
  if (!(error instanceof UnauthorizedError)) throw error;
  // send the browser to saved.address; it comes back to the redirect URI, and currentUrl is its full URL, as a URL object:
  const [state, iss, code] = ["state", "iss", "code"].map((name) => currentUrl.searchParams.get(name));
  if (state !== saved.state || iss !== __ISSUER__) throw new Error("not our answer");
  await transport.finishAuth(code);
  await client.connect(open());
}
//: else if itself
//: if client_secret_post
// the SDK authenticates with client_secret_basic here: register that method for this client
//: end
//: if signs
import { PrivateKeyJwtProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
//: else
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
//: end
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

//: if client_secret_jwt
const authProvider = new PrivateKeyJwtProvider({
  clientId: __CLIENT_ID__,
  privateKey: process.env.OAUTH_CLIENT_SECRET,
  algorithm: "HS256",
  expectedIssuer: __ISSUER__,
});
//: else if private_key_jwt
const authProvider = new PrivateKeyJwtProvider({
  clientId: __CLIENT_ID__,
  privateKey,
  algorithm: "ES256",
  expectedIssuer: __ISSUER__,
});
//: else
const authProvider = new ClientCredentialsProvider({
  clientId: __CLIENT_ID__,
  clientSecret: process.env.OAUTH_CLIENT_SECRET,
  expectedIssuer: __ISSUER__,
});
//: end
const client = new Client({ name: "my-mcp-client", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(__MCP_URL__), { authProvider }));
//: else
// __SIGN_IN_PROBLEM__
//: end

//: if opaque
// An MCP server asks the introspection endpoint about opaque tokens.
//: else
// MCP server: @modelcontextprotocol/sdk 1, express 5, jose 6. app is the Express application.
import { createRemoteJWKSet, jwtVerify } from "__JOSE__";
import { InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from "@modelcontextprotocol/sdk/server/auth/router.js";

const resourceServerUrl = new URL(__MCP_URL__); // the address of the MCP server itself
const oauthMetadata = await (await fetch(__METADATA_URL__)).json();
const keys = createRemoteJWKSet(new URL(oauthMetadata.jwks_uri));
const terms = {
  issuer: __ISSUER__,
  audience: resourceServerUrl.href,
//: if at_jwt
  typ: "at+jwt",
//: else
  typ: "JWT",
//: end
  requiredClaims: ["exp", "client_id"],
};
async function verifyAccessToken(token) {
  const { payload } = await jwtVerify(token, keys, terms).catch(({ message }) => {
    throw new InvalidTokenError(message);
  });
  const { client_id: clientId, scope, exp: expiresAt, sub } = payload;
  return { token, clientId, scopes: scope.split(" "), expiresAt, extra: { person: sub } };
}
app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl }));
app.use(
  resourceServerUrl.pathname,
  requireBearerAuth({
    verifier: { verifyAccessToken },
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
  }),
);
//: end
