/** What libraries call at Facebook. */
import type { Survey } from "./survey.ts";

const graph = "https://graph.facebook.com";
const reads = "access_token token_type expires_in";

export const facebook: Survey = {
  scope: "email public_profile",
  calls: {
    authorize: {
      does: "authorize",
      at: "GET https://www.facebook.com/v24.0/dialog/oauth",
      scope: "email public_profile",
    },
    "authorize, commas": {
      does: "authorize",
      at: "GET https://www.facebook.com/v18.0/dialog/oauth",
      scope: "email,public_profile",
    },
    "token, GET": {
      does: "redeem",
      at: `GET ${graph}/v18.0/oauth/access_token`,
      secret: "parameters",
      reads,
    },
    token: { does: "redeem", at: `POST ${graph}/v24.0/oauth/access_token`, secret: "parameters", reads },
    "token, Basic": { does: "redeem", at: `POST ${graph}/oauth/access_token`, secret: "basic", reads },
    me: {
      does: "who",
      at: `GET ${graph}/v19.0/me?fields=id,name,email,picture`,
      token: "access_token",
      reads: "id name email",
    },
    "me, header": {
      does: "who",
      at: `GET ${graph}/me?fields=id,name,email`,
      token: "Bearer",
      reads: "id name email",
    },
    debug: {
      ...{ does: "introspect", at: `GET ${graph}/debug_token` },
      ...{
        params: { input_token: "{access_token}", access_token: "{client_id}|{client_secret}" },
        reads: "data",
      },
    },
    permissions: {
      does: "revoke",
      at: `DELETE ${graph}/v18.0/123/permissions`,
      sends: "query",
      token: "access_token",
      reads: "success",
    },
    "long-lived": {
      ...{ does: "redeem", at: `GET ${graph}/v4.0/oauth/access_token`, secret: "parameters", reads },
      params: { grant_type: "fb_exchange_token", fb_exchange_token: "{access_token}" },
    },
    application: {
      ...{
        does: "redeem",
        at: `GET ${graph}/oauth/access_token`,
        params: { grant_type: "client_credentials" },
      },
      leftOut: "Tokens of an application, other than its id and secret with a bar between them.",
    },
    limited: {
      ...{ does: "keys", at: "GET https://limited.facebook.com/.well-known/oauth/openid/jwks/" },
      leftOut: "Limited Login, which applications on phones use.",
    },
    "token, query": {
      ...{ does: "redeem", at: `POST ${graph}/v18.0/oauth/access_token`, sends: "query" },
      leftOut:
        "JustAuth sends the parameters of a POST in the query, also the secret. No page of the provider names that.",
    },
  },
  libraries: [
    ["npm passport-facebook 3.0.0", "lib/strategy.js", "authorize, commas", "token", "me"],
    [
      "PyPI facebook-sdk 3.1.0",
      "facebook/__init__.py",
      "authorize, commas",
      "token, GET",
      "me",
      "permissions",
      "debug",
      "long-lived",
      "application",
    ],
    [
      "Maven com.restfb:restfb 2025.10.0",
      "DefaultFacebookClient.java",
      "authorize, commas",
      "token, GET",
      "me",
      "debug",
      "long-lived",
      "application",
    ],
    ["npm fbgraph 1.4.4", "lib/graph.js", "authorize", "token, GET", "me", "long-lived"],
    ["npm arctic 3.7.0", "dist/providers/facebook.js", "authorize", "token"],
    ["npm @auth/core 0.41.3", "providers/facebook.js", "authorize", "token", "me, header"],
    ["npm next-auth 4.24.15", "providers/facebook.js", "authorize", "token", "me, header"],
    [
      "npm better-auth 1.7.25",
      "@better-auth/core/dist/social-providers/facebook.mjs",
      "authorize",
      "token",
      "me, header",
      "debug",
      "limited",
    ],
    ["npm nuxt-auth-utils 0.5.30", "dist/runtime/server/lib/oauth/facebook.js", "authorize", "token", "me"],
    ["npm @adonisjs/ally 6.3.0", "build/src/drivers/facebook.js", "authorize, commas", "token", "me"],
    ["npm hellojs 1.21.4", "modules/facebook.js", "authorize", "token, GET", "me"],
    [
      "PyPI social-auth-core 7.0.0",
      "social_core/backends/facebook.py",
      "authorize, commas",
      "token, GET",
      "me",
      "permissions",
    ],
    ["PyPI fastapi-sso 0.23.0", "fastapi_sso/sso/facebook.py", "authorize", "token", "me, header"],
    ["PyPI requests-oauthlib 2.0.0", "compliance_fixes/facebook.py", "authorize", "token", "me, header"],
    ["Go github.com/markbates/goth 1.82.0", "providers/facebook/facebook.go", "authorize", "token", "me"],
    ["Go golang.org/x/oauth2 0.38.0", "endpoints/endpoints.go", "authorize", "token"],
    [
      "Go github.com/oauth2-proxy/oauth2-proxy/v7 7.15.6",
      "providers/facebook.go",
      "authorize",
      "token",
      "me, header",
    ],
    ["Maven spring-security-config 6.5.1", "CommonOAuth2Provider.java", "authorize", "token", "me, header"],
    ["Maven me.zhyd.oauth:JustAuth 1.16.7", "AuthDefaultSource.java", "authorize", "me", "token, query"],
    [
      "PyPI python-facebook-api 0.24.0",
      "pyfacebook/api/graph.py",
      "authorize",
      "token, Basic",
      "me",
      "debug",
      "permissions",
      "application",
      "long-lived",
    ],
    ["PyPI tornado 6.6.1", "tornado/auth.py", "authorize, commas", "token, GET", "me"],
    [
      "Perl Net::Facebook::Oauth2 0.12",
      "Net/Facebook/Oauth2.pm",
      "authorize, commas",
      "token, GET",
      "long-lived",
      "debug",
      "me",
    ],
  ],
};
