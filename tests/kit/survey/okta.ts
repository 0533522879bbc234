/** What libraries call at Okta. */
import type { Survey } from "./survey.ts";

const base = "https://shop.okta.com/oauth2/default";
const reads = "access_token id_token expires_in";

export const okta: Survey = {
  scope: "openid email profile offline_access",
  calls: {
    metadata: {
      does: "metadata",
      at: `GET ${base}/.well-known/openid-configuration`,
      reads: "issuer jwks_uri",
    },
    authorize: { does: "authorize", at: `GET ${base}/v1/authorize`, scope: "openid profile email" },
    token: { does: "redeem", at: `POST ${base}/v1/token`, secret: "parameters", reads },
    "token, Basic": { does: "redeem", at: `POST ${base}/v1/token`, secret: "basic", reads },
    refresh: {
      does: "refresh",
      at: `POST ${base}/v1/token`,
      secret: "basic",
      reads: "access_token refresh_token",
    },
    userinfo: { does: "who", at: `GET ${base}/v1/userinfo`, token: "Bearer", reads: "sub email name" },
    "userinfo, POST": {
      ...{ does: "who", at: `POST ${base}/v1/userinfo`, token: "Bearer" },
      reads: "sub email name",
    },
    keys: { does: "keys", at: `GET ${base}/v1/keys`, reads: "keys" },
    introspect: {
      does: "introspect",
      at: `POST ${base}/v1/introspect`,
      secret: "basic",
      params: { token: "{access_token}" },
      reads: "active",
    },
    revoke: {
      does: "revoke",
      at: `POST ${base}/v1/revoke`,
      secret: "basic",
      params: { token: "{access_token}" },
    },
    logout: {
      does: "logout",
      at: `GET ${base}/v1/logout`,
      params: { id_token_hint: "{id_token}", post_logout_redirect_uri: "https://app.test/" },
    },
    device: { does: "device", at: `POST ${base}/v1/device/authorize`, reads: "device_code user_code" },
    "token, Basic with a colon": {
      ...{ does: "redeem", at: `POST ${base}/v1/token` },
      leftOut:
        "passport-okta-oauth and its fork send the scheme `Basic:` with a colon, which no page of Okta names.",
    },
    frame: {
      ...{ does: "authorize", at: `GET ${base}/v1/authorize` },
      leftOut:
        "The response mode okta_post_message, for windows and frames. With `offline_access` in the scope, the libraries renew " +
        "by a refresh token.",
    },
    interaction: {
      ...{ does: "authorize", at: `POST ${base}/v1/interact` },
      leftOut: "The Identity Engine and the API of sign-ins, which have pages of Okta's own.",
    },
    "token, query": {
      ...{ does: "redeem", at: `POST ${base}/v1/token`, sends: "query", secret: "parameters", reads },
    },
  },
  libraries: [
    [
      "npm @okta/okta-auth-js 8.0.1",
      "lib/oidc",
      "metadata",
      "authorize",
      "token, Basic",
      "token",
      "userinfo",
      "keys",
      "revoke",
      "logout",
      "frame",
      "interaction",
    ],
    ["npm @okta/jwt-verifier 4.0.2", "lib/jwt-verifier.js", "metadata", "keys"],
    ["PyPI okta-jwt-verifier 0.5.0", "okta_jwt_verifier/jwt_utils.py", "keys"],
    ["Maven com.okta.jwt:okta-jwt-verifier-impl 0.5.9", "DefaultAccessTokenVerifier.java", "keys"],
    ["npm passport-okta-oauth 0.0.1", "lib/passport-okta-oauth/oauth2.js", "token, Basic with a colon"],
    ["npm arctic 3.7.0", "dist/providers/okta.js", "authorize", "token, Basic", "refresh", "revoke"],
    [
      "npm @auth/core 0.41.3",
      "providers/okta.js",
      "metadata",
      "authorize",
      "token, Basic",
      "keys",
      "userinfo",
    ],
    ["npm next-auth 4.24.15", "providers/okta.js", "metadata", "authorize", "token, Basic", "keys"],
    [
      "npm nuxt-auth-utils 0.5.30",
      "dist/runtime/server/lib/oauth/okta.js",
      "metadata",
      "authorize",
      "token",
      "userinfo",
    ],
    ["PyPI social-auth-core 7.0.0", "social_core/backends/okta.py", "authorize", "token", "userinfo", "keys"],
    [
      "Go github.com/markbates/goth 1.82.0",
      "providers/okta/okta.go",
      "authorize",
      "token, Basic",
      "userinfo",
    ],
    [
      "Maven spring-security-config 6.5.1",
      "CommonOAuth2Provider.java",
      "authorize",
      "token, Basic",
      "userinfo",
      "keys",
    ],
    [
      "Maven me.zhyd.oauth:JustAuth 1.16.7",
      "AuthDefaultSource.java",
      "authorize",
      "userinfo",
      "revoke",
      "token, query",
    ],
    ["Okta's documentation", "OpenID Connect & OAuth 2.0 API", "introspect", "device"],
    [
      "Maven com.okta.spring:okta-spring-boot-starter 3.0.8",
      "OktaOAuth2PropertiesMappingEnvironmentPostProcessor.java",
      "metadata",
      "authorize",
      "token, Basic",
      "userinfo",
      "keys",
    ],
    [
      "npm @davidzemon/passport-okta-oauth 0.0.7",
      "lib/passport-okta-oauth/oauth2.js",
      "authorize",
      "token, Basic with a colon",
      "userinfo, POST",
    ],
    [
      "npm @okta/okta-react 6.11.0",
      "src/Security.tsx, LoginCallback.tsx, with @okta/okta-auth-js",
      "metadata",
      "authorize",
      "token",
      "refresh",
      "userinfo",
      "keys",
      "revoke",
      "logout",
      "frame",
    ],
    ["Go github.com/okta/okta-sdk-golang/v5 5.0.2", "okta/client.go", "token, query"],
  ],
};
