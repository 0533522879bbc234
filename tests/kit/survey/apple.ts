/** What libraries call at Apple. */
import { justAuth, quarkusOidc, xOauth2 } from "./several_providers.ts";
import type { Survey } from "./survey.ts";

const auth = "https://appleid.apple.com/auth";
const reads = "access_token id_token";

export const apple: Survey = {
  scope: "",
  calls: {
    metadata: {
      does: "metadata",
      at: "GET https://appleid.apple.com/.well-known/openid-configuration",
      reads: "issuer jwks_uri",
    },
    authorize: { does: "authorize", at: `GET ${auth}/authorize`, scope: "" },
    "authorize, openid": { does: "authorize", at: `GET ${auth}/authorize`, scope: "openid" },
    "authorize, form": {
      ...{ does: "authorize", at: `GET ${auth}/authorize`, scope: "name email" },
      params: { response_mode: "form_post" },
    },
    "authorize, version 2": {
      ...{ does: "authorize", at: `GET ${auth}/oauth2/v2/authorize`, scope: "name email" },
      params: { response_mode: "form_post" },
    },
    "token, version 2": { does: "redeem", at: `POST ${auth}/oauth2/v2/token`, secret: "signed", reads },
    "authorize, code and ID token": {
      ...{ does: "authorize", at: `GET ${auth}/authorize`, scope: "name email" },
      params: { response_type: "code id_token", response_mode: "form_post" },
    },
    token: { does: "redeem", at: `POST ${auth}/token`, secret: "signed", reads },
    refresh: { does: "refresh", at: `POST ${auth}/token`, secret: "signed", reads: "access_token" },
    keys: { does: "keys", at: `GET ${auth}/keys`, reads: "keys" },
    revoke: {
      does: "revoke",
      at: `POST ${auth}/revoke`,
      secret: "signed",
      params: { token: "{refresh_token}" },
    },
    "ID token of the front channel": {
      ...{ does: "authorize", at: `POST ${auth}/authorize` },
      leftOut:
        "sign-in-with-apple needs the claim `c_hash`, which only the ID token of an authorization response has.",
    },
    "token, query": {
      ...{ does: "redeem", at: `POST ${auth}/token`, sends: "query" },
      leftOut:
        "JustAuth sends the parameters of a POST in the query, also the secret. No page of the provider names that.",
    },
    "token, without redirect_uri": {
      ...{ does: "redeem", at: `POST ${auth}/token`, secret: "signed" },
      leftOut: "appleauth redeems the code without its redirect_uri, which Apple requires.",
    },
  },
  libraries: [
    ["npm apple-signin 1.0.9", "source/index.js", "authorize", "token", "keys", "refresh"],
    ["npm @arendajaelu/nestjs-passport-apple 2.1.0", "dist", "authorize, code and ID token", "token", "keys"],
    ["npm @hola.org/passport-apple 1.1.1-hola.3", "src/strategy.js", "authorize, form", "token"],
    ["npm @mrbatista/passport-apple-token 1.0.0", "lib", "keys"],
    ["npm verify-apple-id-token 3.1.2", "dist/lib/verifyAppleIdToken.js", "keys"],
    [
      "PyPI matrix-synapse 1.163.2",
      "synapse/handlers/oidc.py",
      "metadata",
      "authorize, form",
      "token",
      "keys",
    ],
    [
      "npm nuxt-oidc-auth 0.18.0",
      "dist/runtime/providers/apple.js",
      "authorize, version 2",
      "token, version 2",
    ],
    [
      "PyPI appleauth 0.0.1",
      "appleauth/services.py",
      "authorize, form",
      "token, without redirect_uri",
    ],
    ["Go github.com/go-pkgz/auth/v2 2.0.0", "provider/apple.go", "authorize, form", "token", "keys"],
    [
      "Go github.com/ory/kratos 1.3.1",
      "selfservice/strategy/oidc/provider_apple.go",
      "authorize, form",
      "token",
      "keys",
    ],
    ["crates apple-signin 0.2.0", "src/lib.rs", "keys"],
    [
      "npm apple-signin-auth 2.1.0",
      "index.ts",
      "authorize",
      "authorize, form",
      "token",
      "refresh",
      "keys",
      "revoke",
    ],
    ["npm arctic 3.7.0", "dist/providers/apple.js", "authorize, form", "token"],
    ["npm @auth/core 0.41.3", "providers/apple.js", "metadata", "authorize, form", "token", "keys"],
    ["npm next-auth 4.24.15", "providers/apple.js", "metadata", "authorize, form", "token", "keys"],
    [
      "npm better-auth 1.7.25",
      "@better-auth/core/dist/social-providers/apple.mjs",
      "authorize, form",
      "token",
      "refresh",
      "keys",
    ],
    [
      "npm nuxt-auth-utils 0.5.30",
      "dist/runtime/server/lib/oauth/apple.js",
      "authorize, form",
      "token",
      "keys",
    ],
    ["PyPI social-auth-core 7.0.0", "social_core/backends/apple.py", "authorize, form", "token", "keys"],
    ["PyPI fastapi-sso 0.23.0", "fastapi_sso/sso/apple.py", "authorize, form", "token", "keys"],
    ["Go github.com/markbates/goth 1.82.0", "providers/apple/apple.go", "authorize, form", "token", "keys"],
    xOauth2("authorize", "token"),
    justAuth("authorize, form", "token, query"),
    quarkusOidc("metadata", "authorize, form", "token", "keys"),
    ["npm passport-apple 2.0.2", "src/strategy.js", "authorize, form", "token"],
    [
      "npm @nicokaiser/passport-apple 3.3.0",
      "lib/strategy.js",
      "authorize, form",
      "token",
      "refresh",
      "keys",
    ],
    [
      "npm apple-sign-in-rest 1.0.3",
      "lib/AppleSignIn.js",
      "authorize, form",
      "token",
      "refresh",
      "keys",
    ],
    [
      "npm apple-auth 1.0.9",
      "src/apple-auth.js",
      "authorize, code and ID token",
      "token",
      "refresh",
      "revoke",
    ],
    ["npm passport-appleid 1.0.5", "lib/strategy.js", "authorize, openid", "token"],
    ["crates sign-in-with-apple 0.2.0", "src/lib.rs", "keys", "ID token of the front channel"],
  ],
};
