/** What libraries call at LinkedIn. */
import type { Survey } from "./survey.ts";

const site = "https://www.linkedin.com/oauth";
const api = "https://api.linkedin.com/v2";
const reads = "access_token expires_in";

export const linkedin: Survey = {
  scope: "openid profile email",
  calls: {
    metadata: {
      does: "metadata",
      at: `GET ${site}/.well-known/openid-configuration`,
      reads: "issuer jwks_uri",
    },
    authorize: { does: "authorize", at: `GET ${site}/v2/authorization`, scope: "openid profile email" },
    "authorize, commas": {
      does: "authorize",
      at: `GET ${site}/v2/authorization`,
      scope: "openid,profile,email",
    },
    token: { does: "redeem", at: `POST ${site}/v2/accessToken`, secret: "parameters", reads },
    introspect: {
      ...{ does: "introspect", at: `POST ${site}/v2/introspectToken`, secret: "parameters" },
      ...{ params: { token: "{access_token}" }, reads: "active status scope expires_at" },
    },
    userinfo: { does: "who", at: `GET ${api}/userinfo`, token: "Bearer", reads: "sub name email" },
    keys: { does: "keys", at: `GET ${site}/openid/jwks`, reads: "keys" },
    me: {
      does: "who",
      at: `GET ${api}/me`,
      token: "Bearer",
      reads: "id localizedFirstName localizedLastName firstName",
    },
    email: {
      does: "who",
      at: `GET ${api}/emailAddress?q=members&projection=(elements*(handle~))`,
      token: "Bearer",
      reads: "elements",
    },
    "me, query": {
      does: "who",
      at: `GET ${api}/me`,
      token: "oauth2_access_token",
      reads: "id firstName lastName",
    },
    "email, query": {
      does: "who",
      at: `GET ${api}/emailAddress?q=members&projection=(elements*(handle~))`,
      token: "oauth2_access_token",
      reads: "elements",
    },
    "token, Basic": { does: "redeem", at: `POST ${site}/v2/accessToken`, secret: "basic", reads },
    "token, both ways": {
      ...{ does: "redeem", at: `POST ${site}/v2/accessToken` },
      leftOut:
        "fastapi-sso sends the secret twice. One request may use one method only (OAuth 2.1 §2.4). So does fastapi-oauth2, " +
        "which then asks again by Basic alone.",
    },
    "token, before": {
      ...{ does: "redeem", at: "POST https://www.linkedin.com/uas/oauth2/accessToken" },
      leftOut: "The address below `/uas`, which LinkedIn has replaced.",
    },
    "token, as JSON": {
      ...{ does: "redeem", at: `POST ${site}/v2/accessToken`, sends: "json" },
      leftOut:
        "The SDK of Echobox sends a form, and calls it JSON. LinkedIn documents a form with its own type.",
    },
    "token, query": {
      ...{ does: "redeem", at: `POST ${site}/v2/accessToken`, sends: "query" },
      leftOut:
        "JustAuth sends the parameters of a POST in the query, also the secret. No page of the provider names that.",
    },
  },
  libraries: [
    ["PyPI python-linkedin-v2 0.9.4", "linkedin_v2/linkedin.py", "token, before", "me, query"],
    [
      "PyPI fastapi-oauth2 1.5.0",
      "fastapi_oauth2/core.py, with social-auth-core",
      "metadata",
      "authorize",
      "token, both ways",
      "token, Basic",
      "userinfo",
    ],
    [
      "Go github.com/ory/kratos 1.3.1",
      "selfservice/strategy/oidc/provider_linkedin.go",
      "authorize",
      "token",
      "me",
      "email",
      "introspect",
    ],
    ["npm grant 5.4.24", "config/oauth.json, config/profile.json", "authorize", "token", "me"],
    ["PyPI httpx-oauth 0.17.0", "httpx_oauth/clients/linkedin.py", "authorize", "token", "me", "email"],
    ["Go github.com/coreos/go-oidc/v3 3.21.0", "oidc/oidc.go", "metadata", "userinfo", "keys"],
    [
      "npm linkedin-api-client 0.3.0",
      "dist/lib/auth.js",
      "authorize, commas",
      "token",
      "introspect",
      "userinfo",
      "me",
    ],
    [
      "npm passport-linkedin-oauth2 2.0.0",
      "lib/oauth2.js",
      "authorize",
      "token",
      "me, query",
      "email, query",
    ],
    ["npm arctic 3.7.0", "dist/providers/linkedin.js", "authorize", "token"],
    ["npm @auth/core 0.41.3", "providers/linkedin.js", "metadata", "authorize", "token", "keys"],
    ["npm next-auth 4.24.15", "providers/linkedin.js", "authorize", "token", "me", "email"],
    [
      "npm better-auth 1.7.25",
      "@better-auth/core/dist/social-providers/linkedin.mjs",
      "authorize",
      "token",
      "userinfo",
    ],
    [
      "npm nuxt-auth-utils 0.5.30",
      "dist/runtime/server/lib/oauth/linkedin.js",
      "authorize",
      "token",
      "userinfo",
    ],
    [
      "npm @adonisjs/ally 6.3.0",
      "build/src/drivers/linked_in_openid_connect.js",
      "authorize",
      "token",
      "userinfo",
    ],
    ["npm hellojs 1.21.4", "modules/linkedin.js", "token, before"],
    [
      "PyPI social-auth-core 7.0.0",
      "social_core/backends/linkedin.py",
      "metadata",
      "authorize",
      "token",
      "userinfo",
      "me",
      "email",
    ],
    ["PyPI fastapi-sso 0.23.0", "fastapi_sso/sso/linkedin.py", "authorize", "token, both ways", "userinfo"],
    [
      "Go github.com/markbates/goth 1.82.0",
      "providers/linkedin/linkedin.go",
      "authorize",
      "token",
      "me",
      "email",
    ],
    ["Go golang.org/x/oauth2 0.38.0", "endpoints/endpoints.go", "authorize", "token"],
    [
      "Go github.com/oauth2-proxy/oauth2-proxy/v7 7.15.6",
      "providers/linkedin.go",
      "authorize",
      "token, before",
      "email",
    ],
    [
      "Maven me.zhyd.oauth:JustAuth 1.16.7",
      "AuthDefaultSource.java",
      "authorize",
      "me",
      "email",
      "token, query",
    ],
    [
      "Maven com.echobox:ebx-linkedin-sdk 3.0.0",
      "DefaultLinkedInClient.java",
      "authorize",
      "token, as JSON",
      "me",
    ],
    ["npm remix-auth-linkedin 2.0.1", "build/index.js", "authorize", "token", "userinfo"],
    ["npm @logto/connector-linkedin 0.3.5", "lib/index.js", "authorize", "token", "userinfo"],
    [
      "crates oauth2-linkedin 0.2.0",
      "src/authorization_code_grant.rs, src/extensions",
      "authorize",
      "token",
      "me",
    ],
    [
      "npm @sokratis/passport-linkedin-oauth2 2.1.0",
      "lib/oauth2.js",
      "authorize",
      "token",
      "me, query",
      "email, query",
    ],
  ],
};
