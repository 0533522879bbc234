/** What libraries call at Discord. */
import type { Survey } from "./survey.ts";

const site = "https://discord.com";
const api = `${site}/api`;
const reads = "access_token refresh_token expires_in scope";

export const discord: Survey = {
  scope: "identify email",
  calls: {
    authorize: { does: "authorize", at: `GET ${site}/oauth2/authorize`, scope: "identify email" },
    "authorize, API": { does: "authorize", at: `GET ${api}/oauth2/authorize`, scope: "identify email" },
    "authorize, prompt": {
      ...{ does: "authorize", at: `GET ${api}/oauth2/authorize`, scope: "identify email" },
      params: { prompt: "none" },
    },
    token: { does: "redeem", at: `POST ${api}/oauth2/token`, secret: "parameters", reads },
    "token, Basic": { does: "redeem", at: `POST ${api}/oauth2/token`, secret: "basic", reads },
    "token, version": { does: "redeem", at: `POST ${api}/v10/oauth2/token`, secret: "parameters", reads },
    refresh: { does: "refresh", at: `POST ${api}/oauth2/token`, secret: "parameters", reads },
    "refresh, Basic": { does: "refresh", at: `POST ${api}/oauth2/token`, secret: "basic", reads },
    "refresh, version": { does: "refresh", at: `POST ${api}/v10/oauth2/token`, secret: "parameters", reads },
    "revoke, Basic": {
      does: "revoke",
      at: `POST ${api}/oauth2/token/revoke`,
      secret: "basic",
      params: { token: "{access_token}" },
    },
    "revoke, version": {
      does: "revoke",
      at: `POST ${api}/v10/oauth2/token/revoke`,
      secret: "basic",
      params: { token: "{access_token}" },
    },
    "revoke, GET": {
      ...{ does: "revoke", at: `GET ${api}/oauth2/token/revoke`, secret: "parameters" },
      leftOut: "Discord takes a POST at this address, and so does the look-alike.",
    },
    me: { does: "who", at: `GET ${api}/users/@me`, token: "Bearer", reads: "id username email verified" },
    "me, version": { does: "who", at: `GET ${api}/v10/users/%40me`, token: "Bearer", reads: "id username" },
    authorization: {
      does: "introspect",
      at: `GET ${api}/v10/oauth2/%40me`,
      token: "Bearer",
      reads: "application scopes expires user",
    },
    guilds: {
      ...{ does: "who", at: `GET ${api}/users/@me/guilds`, token: "Bearer" },
      leftOut: "Guilds and connections are data of a person: answer them with `as.route()`.",
    },
  },
  libraries: [
    ["npm passport-discord 0.1.4", "lib/strategy.js", "authorize, API", "token", "me"],
    [
      "PyPI httpx-oauth 0.17.0",
      "httpx_oauth/clients/discord.py",
      "authorize, API",
      "token, Basic",
      "refresh, Basic",
      "revoke, Basic",
      "me",
    ],
    [
      "npm discord-oauth2 2.12.1",
      "lib/oauth.js",
      "authorize",
      "token, version",
      "refresh, version",
      "revoke, version",
      "me, version",
      "guilds",
    ],
    [
      "npm @discordjs/core 2.6.0",
      "dist/index.js",
      "authorize",
      "token, version",
      "refresh, version",
      "revoke, version",
      "me, version",
      "authorization",
    ],
    [
      "npm arctic 3.7.0",
      "dist/providers/discord.js",
      "authorize",
      "token, Basic",
      "refresh, Basic",
      "revoke, Basic",
    ],
    ["npm @auth/core 0.41.3", "providers/discord.js", "authorize, API", "token, Basic", "me"],
    ["npm next-auth 4.24.15", "providers/discord.js", "authorize, API", "token, Basic", "me"],
    [
      "npm better-auth 1.7.25",
      "@better-auth/core/dist/social-providers/discord.mjs",
      "authorize, API",
      "token",
      "refresh",
      "me",
    ],
    ["npm nuxt-auth-utils 0.5.30", "dist/runtime/server/lib/oauth/discord.js", "authorize", "token", "me"],
    ["npm @adonisjs/ally 6.3.0", "build/src/drivers/discord.js", "authorize", "token", "me"],
    [
      "PyPI social-auth-core 7.0.0",
      "social_core/backends/discord.py",
      "authorize, API",
      "token",
      "refresh",
      "me",
      "revoke, GET",
    ],
    ["PyPI fastapi-sso 0.23.0", "fastapi_sso/sso/discord.py", "authorize", "token, Basic", "me"],
    [
      "Go github.com/markbates/goth 1.82.0",
      "providers/discord/discord.go",
      "authorize, prompt",
      "token, Basic",
      "me",
    ],
    ["Go golang.org/x/oauth2 0.38.0", "endpoints/endpoints.go", "authorize", "token, Basic", "token"],
    [
      "Maven io.quarkus:quarkus-oidc 3.24.1",
      "KnownOidcProviders.java",
      "authorize, API",
      "token, Basic",
      "me",
    ],
  ],
};
