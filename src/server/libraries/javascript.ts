/** The words of libraries for JavaScript and TypeScript. */

import type { LibraryRow } from "./library.ts";

export const javascript: readonly LibraryRow[] = [
  {
    name: "openid-client",
    version: "6.9",
    method: "client_secret_post",
    words: {
      pkce:
        'code_challenge: await client.calculatePKCECodeChallenge(code_verifier), code_challenge_method: "S256"',
      nonce: "nonce: client.randomNonce()",
      resource: 'resource: "https://api.example"',
      https: "execute: [client.allowInsecureRequests]",
      authentication: "client.ClientSecretBasic(secret)",
    },
    into: {
      pkce: "client.buildAuthorizationUrl(config, {…})",
      nonce: "client.buildAuthorizationUrl(config, {…})",
      resource: "client.buildAuthorizationUrl(config, {…})",
    },
    note: "`pkceCodeVerifier: code_verifier` is one of the checks of `authorizationCodeGrant()`.",
    source: "build/index.d.ts",
    requests: [{
      order: "redirect_uri scope state nonce client_id response_type",
      state: ["base64url", 43],
      nonce: ["base64url", 43],
    }],
    form: "openid-client",
  },
  {
    name: "openid-client-5",
    title: "openid-client",
    version: "5.7",
    words: {
      pkce: 'code_challenge: generators.codeChallenge(code_verifier), code_challenge_method: "S256"',
      nonce: "nonce: generators.nonce()",
      resource: 'resource: "https://api.example"',
      authentication: 'token_endpoint_auth_method: "client_secret_basic"',
    },
    into: {
      pkce: "client.authorizationUrl({…})",
      nonce: "client.authorizationUrl({…})",
      resource: "client.authorizationUrl({…})",
    },
    note: "`code_verifier` is one of the checks of `callback()`.",
    source: "types/index.d.ts",
    requests: [{
      order: "client_id scope response_type redirect_uri state nonce",
      state: ["base64url", 43],
      nonce: ["base64url", 43],
    }],
    settings: String.raw`import { generators, Issuer } from "openid-client";

const issuer = await Issuer.discover(__ISSUER__);
const client = new issuer.Client({
  client_id: __CLIENT_ID__,
  redirect_uris: [__REDIRECT_URI__],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
});
// Keep both for the callback: client.callback(uri, params, { code_verifier, state })
const code_verifier = generators.codeVerifier();
const state = generators.state();
const url = client.authorizationUrl({
  scope: __SCOPE__,
  state,
  code_challenge: generators.codeChallenge(code_verifier),
  code_challenge_method: "S256",
});`,
  },
  {
    name: "oidc-client-ts",
    version: "3.5",
    pkce: "always",
    words: {
      pkce: "disablePKCE: false",
      resource: 'resource: "https://api.example"',
      authentication: 'client_authentication: "client_secret_basic"',
    },
    where: "A setting of `new UserManager({ … })`.",
    note: "It sends no PKCE with `disablePKCE: true` only.",
    more: "It reads the claims of userinfo with `loadUserInfo: true`.",
    source: "src/OidcClientSettings.ts",
    form: "oidc-client-ts",
  },
  {
    name: "auth0-spa-js",
    version: "2.28",
    pkce: "always",
    words: {
      resource: 'resource: "https://api.example"',
      claims: '"claimsIn": { "idToken": ["name", "email"] }',
    },
    into: { resource: "authorizationParams: {…}" },
    note: "The claims are a setting of the server. The server starts with `--paths auth0`.",
    source: "src/Auth0Client.ts",
    settings: String.raw`import { createAuth0Client } from "@auth0/auth0-spa-js";

// The server starts with --paths auth0.
const auth0 = await createAuth0Client({
  domain: __ISSUER__,
  clientId: __CLIENT_ID__,
  useRefreshTokens: true,
  authorizationParams: { redirect_uri: __REDIRECT_URI__, scope: __SCOPE__ },
});`,
  },
  {
    name: "authjs",
    title: "Auth.js",
    version: "5 (@auth/core 0.41)",
    words: {
      pkce: 'checks: ["pkce", "state"]',
      nonce: 'checks: ["pkce", "state", "nonce"]',
      resource: 'resource: "https://api.example"',
      authentication: 'token_endpoint_auth_method: "client_secret_basic"',
    },
    into: { resource: "authorization: { params: {…} }", authentication: "client: {…}" },
    where: "A member of the provider in `providers`.",
    note: 'PKCE is its default. A provider with `checks` sends what they name: add `"pkce"` to those.',
    source: "src/providers/oauth.ts",
    form: "authjs",
  },
  {
    name: "next-auth",
    version: "4.24",
    words: {
      pkce: 'checks: ["pkce", "state"]',
      nonce: 'checks: ["pkce", "state", "nonce"]',
      resource: 'resource: "https://api.example"',
      authentication: 'token_endpoint_auth_method: "client_secret_basic"',
    },
    into: { resource: "authorization: { params: {…} }", authentication: "client: {…}" },
    where: "A member of the provider in `providers` of `authOptions`.",
    note: 'A provider that has `checks` already keeps them: add `"pkce"`.',
    source: "src/providers/oauth.ts",
    requests: [{
      order: "client_id scope response_type redirect_uri state",
      state: ["base64url", 43],
      callback: "/api/auth/callback/*",
    }],
    form: "next-auth",
  },
  {
    name: "passport-openidconnect",
    version: "0.1",
    pkce: "never",
    method: "client_secret_post",
    words: { nonce: "nonce: true", authentication: '"token_endpoint_auth_method": "client_secret_post"' },
    note: 'openid-client has a strategy that sends it: `import { Strategy } from "openid-client/passport"`.',
    more: "The method of authentication is a setting of the server.",
    source: "lib/strategy.js",
    requests: [{ order: "response_type client_id redirect_uri scope state", state: ["base64", 24] }],
    settings: String.raw`// passport-openidconnect has no PKCE: use the strategy of openid-client.
import * as client from "openid-client";
import { Strategy } from "openid-client/passport";
import passport from "passport";

const config = await client.discovery(new URL(__ISSUER__), __CLIENT_ID__, undefined, client.None(), {
  execute: [client.allowInsecureRequests],
});
const settings = { config, name: "postern", scope: __SCOPE__, callbackURL: __REDIRECT_URI__ };
passport.use(new Strategy(settings, (tokens, done) => done(null, tokens.claims())));`,
  },
  {
    name: "passport-oauth2",
    version: "1.8",
    method: "client_secret_post",
    words: {
      pkce: "pkce: true, state: true",
      authentication: '"token_endpoint_auth_method": "client_secret_post"',
    },
    where: "Options of `new Strategy({ … })`.",
    more: "The method of authentication is a setting of the server.",
    source: "lib/strategy.js",
    requests: [{ order: "response_type redirect_uri scope state client_id", state: ["letters", 24] }],
    settings: String.raw`import { Strategy } from "passport-oauth2";

passport.use(new Strategy({
  authorizationURL: __AUTHORIZE_URL__,
  tokenURL: __TOKEN_URL__,
  clientID: __CLIENT_ID__,
  clientSecret: "any secret for a new client",
  callbackURL: __REDIRECT_URI__,
  scope: __SCOPE__,
  pkce: true,
  state: true,
}, (accessToken, refreshToken, profile, done) => done(null, { accessToken })));`,
  },
  {
    name: "express-openid-connect",
    version: "3.4",
    words: {
      pkce: 'response_type: "code"',
      response_type: 'response_type: "code"',
      resource: 'resource: "https://api.example"',
      authentication: 'clientAuthMethod: "client_secret_basic"',
    },
    into: {
      pkce: "authorizationParams: {…}",
      response_type: "authorizationParams: {…}",
      resource: "authorizationParams: {…}",
    },
    where: "`authorizationParams` is an option of `auth({ … })`.",
    note: "Its default asks for an ID token in a form, without a code. For a code it needs `clientSecret`.",
    source: "lib/config.js",
    requests: [{
      order: "redirect_uri response_type scope response_mode nonce state client_id",
      nonce: ["base64url", 43],
    }],
    settings: String.raw`import { auth } from "express-openid-connect";

app.use(auth({
  issuerBaseURL: __ISSUER__,
  baseURL: "http://localhost:3000",
  clientID: __CLIENT_ID__,
  clientSecret: "any secret for a new client",
  secret: "a long secret for the cookie of the session",
  authorizationParams: { response_type: "code", scope: __SCOPE__ },
}));`,
  },
  {
    name: "fastify-oauth2",
    title: "@fastify/oauth2",
    version: "8.3",
    words: { pkce: 'pkce: "S256"' },
    where: "An option of `app.register(oauth, { … })`.",
    note: "With `discovery: { issuer }` it sends PKCE by itself.",
    source: "index.js",
    settings: String.raw`import oauth from "@fastify/oauth2";

app.register(oauth, {
  name: "postern",
  scope: [__SCOPE__],
  credentials: { client: { id: __CLIENT_ID__, secret: "any secret for a new client" } },
  discovery: { issuer: __ISSUER__ },
  pkce: "S256",
  startRedirectPath: "/login",
  callbackUri: __REDIRECT_URI__,
});`,
  },
  {
    name: "grant",
    version: "5.4",
    method: "client_secret_post",
    words: { pkce: "pkce: true", nonce: "nonce: true", scope: 'scope_delimiter: " "' },
    where: "A member of the provider in the configuration of grant.",
    more: "Without `scope_delimiter`, a list of scopes becomes one scope with commas.",
    source: "lib/config.js",
    requests: [{
      order: "client_id response_type redirect_uri scope state",
      state: ["hex", 40],
      callback: "/connect/*/callback",
    }],
    settings: String.raw`import grant from "grant";

// The redirect URI is http://localhost:3000/connect/postern/callback
app.use(grant.express({
  defaults: { origin: "http://localhost:3000", transport: "session", state: true },
  postern: {
    key: __CLIENT_ID__,
    secret: "any secret for a new client",
    oauth: 2,
    authorize_url: __AUTHORIZE_URL__,
    access_url: __TOKEN_URL__,
    profile_url: __USERINFO_URL__,
    scope: __SCOPE__,
    scope_delimiter: " ",
    pkce: true,
  },
}));`,
  },
  {
    name: "arctic",
    version: "3.7",
    words: {
      pkce:
        "client.createAuthorizationURLWithPKCE(endpoint, state, CodeChallengeMethod.S256, codeVerifier, scopes)",
    },
    note:
      "It replaces `createAuthorizationURL()`. The verifier is the third argument of `validateAuthorizationCode()`.",
    source: "dist/client.js",
    settings: String.raw`import * as arctic from "arctic";

const client = new arctic.OAuth2Client(__CLIENT_ID__, null, __REDIRECT_URI__);
// Keep both for the callback.
const state = arctic.generateState();
const codeVerifier = arctic.generateCodeVerifier();
const url = client.createAuthorizationURLWithPKCE(
  __AUTHORIZE_URL__,
  state,
  arctic.CodeChallengeMethod.S256,
  codeVerifier,
  __SCOPE__.split(" "),
);
// At the callback:
// const tokens = await client.validateAuthorizationCode(__TOKEN_URL__, code, codeVerifier);`,
  },
  {
    name: "simple-oauth2",
    version: "5.1",
    words: { pkce: 'code_challenge, code_challenge_method: "S256"' },
    into: { pkce: "client.authorizeURL({…})" },
    note: "`code_verifier` is a parameter of `getToken()`.",
    source: "lib/authorization-code-grant-type.js",
    settings: String.raw`import { createHash, randomBytes } from "node:crypto";
import { AuthorizationCode } from "simple-oauth2";

const client = new AuthorizationCode({
  client: { id: __CLIENT_ID__, secret: "any secret for a new client" },
  auth: {
    tokenHost: new URL(__TOKEN_URL__).origin,
    tokenPath: new URL(__TOKEN_URL__).pathname,
    authorizePath: new URL(__AUTHORIZE_URL__).pathname,
  },
});
// Keep both for the callback.
const state = randomBytes(16).toString("base64url");
const code_verifier = randomBytes(32).toString("base64url");
const url = client.authorizeURL({
  redirect_uri: __REDIRECT_URI__,
  scope: __SCOPE__,
  state,
  code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
  code_challenge_method: "S256",
});
// At the callback:
// const tokens = await client.getToken({ code, redirect_uri: __REDIRECT_URI__, code_verifier });`,
  },
  {
    name: "hono-oidc-auth",
    title: "@hono/oidc-auth",
    version: "1.8",
    pkce: "always",
    words: { claims: '"claimsIn": { "idToken": ["name", "email"] }' },
    note: "It reads the ID token only, and never calls userinfo. The claims are a setting of the server.",
    source: "dist/index.js",
    isPlain: true,
    settings: String.raw`# The environment of the application
OIDC_ISSUER=__ISSUER__
OIDC_CLIENT_ID=__CLIENT_ID__
OIDC_CLIENT_SECRET=any-secret-for-a-new-client
OIDC_REDIRECT_URI=__REDIRECT_URI__
OIDC_AUTH_SECRET=a-secret-for-the-cookie-of-the-session
OIDC_SCOPES="__SCOPE__"`,
  },
  {
    name: "better-auth",
    version: "1.7",
    pkce: "always",
    words: { pkce: "pkce: true" },
    where: "A member of the provider in `genericOAuth({ config: [ … ] })`.",
    note: "It sends no PKCE with `pkce: false` only.",
    source: "dist/plugins/generic-oauth/types.d.mts",
    settings: String.raw`import { betterAuth } from "better-auth";
import { genericOAuth } from "better-auth/plugins";

export const auth = betterAuth({
  baseURL: "http://localhost:3000",
  plugins: [genericOAuth({
    config: [{
      providerId: "postern",
      discoveryUrl: __DISCOVERY_URL__,
      clientId: __CLIENT_ID__,
      clientSecret: "any secret for a new client",
      scopes: __SCOPE__.split(" "),
      pkce: true,
    }],
  })],
});`,
  },
  {
    name: "keycloak-js",
    version: "26.2",
    pkce: "always",
    words: { pkce: 'pkceMethod: "S256"' },
    where: "An argument of `keycloak.init({ … })`.",
    note: "It sends no PKCE with `pkceMethod: false` only.",
    more:
      "It requests tokens with cookies, as only Keycloak allows: start the server with `--like keycloak`.",
    source: "lib/keycloak.js",
    settings: String
      .raw`// The server starts with --like keycloak: only Keycloak lets pages request tokens with cookies.
import Keycloak from "keycloak-js";

const keycloak = new Keycloak({ oidcProvider: __ISSUER__, clientId: __CLIENT_ID__ });
await keycloak.init({ onLoad: "login-required", pkceMethod: "S256", checkLoginIframe: false });`,
  },
  {
    name: "angular-oauth2-oidc",
    version: "22.0",
    words: {
      pkce: 'responseType: "code"',
      response_type: 'responseType: "code"',
      https: "requireHttps: false",
    },
    where: "A member of the `AuthConfig`.",
    note: "With a code it sends PKCE by itself, unless `disablePKCE` is true.",
    source: "types/angular-oauth2-oidc.d.ts",
    settings: String.raw`export const authConfig: AuthConfig = {
  issuer: __ISSUER__,
  clientId: __CLIENT_ID__,
  redirectUri: __REDIRECT_URI__,
  scope: __SCOPE__,
  responseType: "code",
  requireHttps: false,
};`,
  },
  {
    name: "angular-auth-oidc-client",
    version: "22.0",
    words: { pkce: 'responseType: "code"', response_type: 'responseType: "code"' },
    where: "A member of `config` in `provideAuth({ … })`.",
    note: "With a code it sends PKCE by itself, unless `disablePkce` is true.",
    source: "types/angular-auth-oidc-client.d.ts",
    settings: String.raw`provideAuth({
  config: {
    authority: __ISSUER__,
    clientId: __CLIENT_ID__,
    redirectUrl: __REDIRECT_URI__,
    scope: __SCOPE__,
    responseType: "code",
  },
});`,
  },
  {
    name: "mcp",
    title: "MCP TypeScript SDK",
    version: "1.32",
    pkce: "always",
    note: "It sends `resource` by itself: the URL of the MCP server.",
    source: "dist/esm/client/auth.js",
    form: "mcp",
  },
  {
    name: "mcp-remote",
    version: "0.15",
    pkce: "always",
    words: { authentication: '--static-oauth-client-info \'{ "client_id": "my-app" }\'' },
    note: "It registers itself, or takes its client from the flag. The callback path is `/oauth/callback`.",
    source: "README.md",
    isPlain: true,
    settings: String.raw`# The address of your MCP server, which names __ISSUER__ as its authorization server:
npx mcp-remote __MCP_URL__`,
  },
  {
    name: "okta-oidc-middleware",
    title: "@okta/oidc-middleware",
    version: "5.5",
    pkce: "never",
    note:
      "It tells openid-client 5 to send none. openid-client itself, or express-openid-connect, can send it.",
    callback: "/authorization-code/callback",
    source: "src/oidcUtil.js",
    settings: String
      .raw`// @okta/oidc-middleware has no PKCE. The server needs this entry in its configuration, and cannot
// notice a stolen code of this client then:
// { "clients": [{ "client_id": __CLIENT_ID__, "client_secret": "the secret of the client",
//   "redirect_uris": ["http://localhost:3000/authorization-code/callback"], "require_pkce": false }] }
const oidc = new ExpressOIDC({
  issuer: __ISSUER__,
  client_id: __CLIENT_ID__,
  client_secret: "the secret of the client",
  appBaseUrl: "http://localhost:3000",
  scope: __SCOPE__,
  testing: { disableHttpsCheck: true },
});`,
  },
  {
    name: "hapi-bell",
    title: "@hapi/bell",
    version: "13.2",
    words: { pkce: 'pkce: "S256"' },
    into: { pkce: "provider: {…}" },
    where: '`provider` is an option of `server.auth.strategy(NAME, "bell", { … })`.',
    more: "Without https it needs `isSecure: false`.",
    requests: [{ order: "client_id response_type redirect_uri state scope", state: ["letters", 22] }],
    source: "lib/oauth.js",
    settings: String.raw`server.auth.strategy("postern", "bell", {
  provider: {
    name: "postern",
    protocol: "oauth2",
    auth: __AUTHORIZE_URL__,
    token: __TOKEN_URL__,
    scope: __SCOPE__.split(" "),
    pkce: "S256",
  },
  clientId: __CLIENT_ID__,
  clientSecret: "any secret for a new client",
  password: "a long secret for the cookie of the session",
  isSecure: false,
  // with the path of the route, this is the redirect URI
  location: new URL(__REDIRECT_URI__).origin,
});`,
  },
  {
    name: "client-oauth2",
    version: "4.3",
    words: {
      pkce: 'query: { code_challenge, code_challenge_method: "S256" }',
    },
    into: { pkce: "client.code.getUri({…})" },
    note: "`client.code.getToken(url, { body: { code_verifier } })` sends the verifier.",
    source: "src/client-oauth2.js",
    settings: String.raw`const client = new ClientOAuth2({
  clientId: __CLIENT_ID__,
  clientSecret: "any secret for a new client",
  authorizationUri: __AUTHORIZE_URL__,
  accessTokenUri: __TOKEN_URL__,
  redirectUri: __REDIRECT_URI__,
  scopes: __SCOPE__.split(" "),
});
// Keep it for the callback.
const code_verifier = randomBytes(32).toString("base64url");
const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
const url = client.code.getUri({ query: { code_challenge, code_challenge_method: "S256" } });`,
  },
  {
    name: "badgateway-oauth2-client",
    title: "@badgateway/oauth2-client",
    version: "3.3",
    words: { pkce: "codeVerifier" },
    into: { pkce: "client.authorizationCode.getAuthorizeUri({…})" },
    note:
      "`codeVerifier` is from `generateCodeVerifier()`, and an argument of `getTokenFromCodeRedirect()`, too.",
    source: "dist/client/authorization-code.js",
    settings: String.raw`import { generateCodeVerifier, OAuth2Client } from "@badgateway/oauth2-client";

const client = new OAuth2Client({
  clientId: __CLIENT_ID__,
  authorizationEndpoint: __AUTHORIZE_URL__,
  tokenEndpoint: __TOKEN_URL__,
});
// Keep it for the callback.
const codeVerifier = await generateCodeVerifier();
const url = await client.authorizationCode.getAuthorizeUri({
  redirectUri: __REDIRECT_URI__,
  scope: __SCOPE__.split(" "),
  codeVerifier,
});`,
  },
  {
    name: "nuxt-oidc-auth",
    version: "0.18",
    words: { pkce: "pkce: true" },
    where: "A member of the provider below `oidc.providers` in `nuxt.config.ts`.",
    source: "dist/runtime/server/lib/oidc.js",
    settings: String.raw`export default defineNuxtConfig({
  modules: ["nuxt-oidc-auth"],
  oidc: {
    providers: {
      oidc: {
        clientId: __CLIENT_ID__,
        clientSecret: "any secret for a new client",
        authorizationUrl: __AUTHORIZE_URL__,
        tokenUrl: __TOKEN_URL__,
        userInfoUrl: __USERINFO_URL__,
        redirectUri: __REDIRECT_URI__,
        scope: __SCOPE__.split(" "),
        pkce: true,
      },
    },
  },
});`,
  },
  {
    name: "hellojs",
    title: "hello.js",
    version: "1.21",
    pkce: "never",
    note:
      "It runs in a page and keeps no secret, so it has no exception. oidc-client-ts does the same with PKCE: its settings are printed.",
    source: "src/hello.js",
    form: "oidc-client-ts",
  },
  {
    name: "oauth-npm",
    title: "oauth (npm)",
    version: "0.10",
    method: "client_secret_post",
    words: { pkce: 'code_challenge, code_challenge_method: "S256"' },
    into: { pkce: "client.getAuthorizeUrl({…})" },
    note: "`code_verifier` is one of the parameters of `getOAuthAccessToken()`.",
    source: "lib/oauth2.js",
    settings: String.raw`import oauth from "oauth";

const client = new oauth.OAuth2(
  __CLIENT_ID__,
  "any secret for a new client",
  "",
  __AUTHORIZE_URL__,
  __TOKEN_URL__,
);
// Keep both for the callback.
const state = randomBytes(16).toString("base64url");
const code_verifier = randomBytes(32).toString("base64url");
const url = client.getAuthorizeUrl({
  response_type: "code",
  redirect_uri: __REDIRECT_URI__,
  scope: __SCOPE__,
  state,
  code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
  code_challenge_method: "S256",
});
// At the callback:
// const form = { grant_type: "authorization_code", redirect_uri: __REDIRECT_URI__, code_verifier };
// client.getOAuthAccessToken(code, form, (error, token) => …);`,
  },
];
