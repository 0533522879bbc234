/** What libraries call at GitHub. */
import type { Survey } from "./survey.ts";

const json = { accept: "application/json" };
const web = "https://github.com/login";
const api = "https://api.github.com";
const app = `${api}/applications/Iv1.shop`;

export const github: Survey = {
  scope: "read:user user:email",
  calls: {
    authorize: { does: "authorize", at: `GET ${web}/oauth/authorize`, scope: "user:email read:org" },
    "authorize, commas": {
      does: "authorize",
      at: `GET ${web}/oauth/authorize`,
      scope: "user:email,read:org",
    },
    "token, form": {
      ...{ does: "redeem", at: `POST ${web}/oauth/access_token`, secret: "parameters", headers: json },
      reads: "access_token token_type scope",
    },
    "token, form answered": { does: "redeem", at: `POST ${web}/oauth/access_token`, secret: "parameters" },
    "token, Basic": {
      ...{ does: "redeem", at: `POST ${web}/oauth/access_token`, secret: "basic", headers: json },
      reads: "access_token scope",
    },
    "token, JSON": {
      ...{ does: "redeem", at: `POST ${web}/oauth/access_token`, sends: "json", secret: "parameters" },
      ...{ headers: json, reads: "access_token scope" },
    },
    "refresh, form": {
      ...{ does: "refresh", at: `POST ${web}/oauth/access_token`, secret: "parameters", headers: json },
      reads: "access_token refresh_token expires_in",
    },
    "refresh, JSON": {
      ...{ does: "refresh", at: `POST ${web}/oauth/access_token`, sends: "json", secret: "parameters" },
      ...{ headers: json, reads: "access_token refresh_token expires_in refresh_token_expires_in" },
    },
    user: { does: "who", at: `GET ${api}/user`, token: "Bearer", reads: "login id name email avatar_url" },
    "user, scheme token": { does: "who", at: `GET ${api}/user`, token: "token", reads: "login id" },
    emails: { does: "who", at: `GET ${api}/user/emails`, token: "Bearer", reads: "0" },
    "emails, scheme token": { does: "who", at: `GET ${api}/user/emails`, token: "token", reads: "0" },
    organizations: {
      ...{ does: "who", at: `GET ${api}/user/orgs`, token: "Bearer" },
      leftOut: "Organizations and teams are data of a person: answer them with `as.route()`.",
    },
    check: {
      ...{ does: "introspect", at: `POST ${app}/token`, sends: "json", secret: "basic" },
      ...{ params: { access_token: "{access_token}" }, reads: "scopes user token app" },
    },
    reset: {
      ...{ does: "introspect", at: `PATCH ${app}/token`, sends: "json", secret: "basic" },
      ...{ params: { access_token: "{access_token}" }, reads: "token scopes" },
    },
    "delete token": {
      ...{ does: "revoke", at: `DELETE ${app}/token`, sends: "json", secret: "basic" },
      params: { access_token: "{access_token}" },
    },
    "delete grant": {
      ...{ does: "revoke", at: `DELETE ${app}/grant`, sends: "json", secret: "basic" },
      params: { access_token: "{access_token}" },
    },
    scoped: {
      ...{ does: "introspect", at: `POST ${app}/token/scoped`, sends: "json", secret: "basic" },
      leftOut: "A token for fewer repositories needs the installations of a GitHub App.",
    },
    "device, JSON": {
      ...{ does: "device", at: `POST ${web}/device/code`, sends: "json", headers: json },
      reads: "device_code user_code verification_uri interval",
    },
    "device, form": {
      ...{ does: "device", at: `POST ${web}/device/code`, headers: json },
      reads: "device_code user_code",
    },
    "token, query": {
      ...{ does: "redeem", at: `POST ${web}/oauth/access_token`, sends: "query" },
      leftOut:
        "JustAuth sends the parameters of a POST in the query, also the secret. No page of the provider names that.",
    },
  },
  libraries: [
    [
      "npm @octokit/oauth-methods 6.0.5",
      "dist-bundle/index.js",
      "authorize, commas",
      "token, JSON",
      "refresh, JSON",
      "check",
      "reset",
      "delete token",
      "delete grant",
      "scoped",
      "device, JSON",
    ],
    [
      "npm @octokit/oauth-app 8.0.4",
      "dist-node/index.js",
      "authorize, commas",
      "token, JSON",
      "refresh, JSON",
      "check",
      "reset",
      "delete token",
      "delete grant",
      "user, scheme token",
    ],
    ["npm @octokit/auth-oauth-app 9.0.5", "dist-node/index.js", "token, JSON", "device, JSON"],
    [
      "npm passport-github2 0.1.12",
      "lib/strategy.js",
      "authorize, commas",
      "token, form answered",
      "user, scheme token",
      "emails, scheme token",
    ],
    [
      "npm passport-github 1.1.0",
      "lib/strategy.js",
      "authorize, commas",
      "token, form answered",
      "user",
      "emails",
    ],
    ["npm arctic 3.7.0", "dist/providers/github.js", "authorize", "token, Basic", "refresh, form"],
    ["npm @auth/core 0.41.3", "providers/github.js", "authorize", "token, Basic", "user", "emails"],
    ["npm next-auth 4.24.15", "providers/github.js", "authorize", "token, Basic", "user", "emails"],
    [
      "npm better-auth 1.7.25",
      "@better-auth/core/dist/social-providers/github.mjs",
      "authorize",
      "token, form",
      "refresh, form",
      "user",
      "emails",
    ],
    [
      "npm nuxt-auth-utils 0.5.30",
      "dist/runtime/server/lib/oauth/github.js",
      "authorize",
      "token, form",
      "user, scheme token",
      "emails, scheme token",
    ],
    [
      "npm @adonisjs/ally 6.3.0",
      "build/src/drivers/github.js",
      "authorize",
      "token, form",
      "user, scheme token",
      "emails, scheme token",
    ],
    ["npm hellojs 1.21.4", "modules/github.js", "authorize", "user"],
    [
      "PyPI social-auth-core 7.0.0",
      "social_core/backends/github.py",
      "authorize, commas",
      "token, form",
      "user, scheme token",
      "emails, scheme token",
    ],
    ["PyPI fastapi-sso 0.23.0", "fastapi_sso/sso/github.py", "authorize", "token, Basic", "user", "emails"],
    ["PyPI requests-oauthlib 2.0.0", "examples of its documentation", "authorize", "token, form", "user"],
    [
      "Go github.com/markbates/goth 1.82.0",
      "providers/github/github.go",
      "authorize",
      "token, Basic",
      "user",
      "emails",
    ],
    [
      "Go golang.org/x/oauth2 0.38.0",
      "endpoints/endpoints.go",
      "authorize",
      "token, Basic",
      "token, form",
      "device, form",
    ],
    ["Go github.com/cli/oauth 1.2.2", "oauth.go", "authorize", "token, form", "device, form"],
    [
      "Go github.com/oauth2-proxy/oauth2-proxy/v7 7.15.6",
      "providers/github.go",
      "authorize",
      "token, form",
      "user",
      "emails",
      "organizations",
    ],
    [
      "Go github.com/dexidp/dex 2.13.0",
      "connector/github/github.go",
      "authorize",
      "token, Basic",
      "user",
      "emails",
      "organizations",
    ],
    ["Maven spring-security-config 6.5.1", "CommonOAuth2Provider.java", "authorize", "token, Basic", "user"],
    [
      "Maven me.zhyd.oauth:JustAuth 1.16.7",
      "AuthDefaultSource.java",
      "authorize",
      "user, scheme token",
      "token, query",
    ],
    ["Maven io.quarkus:quarkus-oidc 3.24.1", "KnownOidcProviders.java", "authorize", "token, Basic", "user"],
  ],
};
