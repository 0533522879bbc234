/** What libraries call at Slack, to sign people in. */
import { mozillaDjangoOidc, nimbusOidc, openauth, openidconnect, zitadelOidc } from "./several_providers.ts";
import type { Survey } from "./survey.ts";

const site = "https://slack.com";
const reads = "ok access_token id_token";

export const slackOpenid: Survey = {
  scope: "openid email profile",
  calls: {
    metadata: {
      does: "metadata",
      at: `GET ${site}/.well-known/openid-configuration`,
      reads: "issuer jwks_uri",
    },
    authorize: {
      does: "authorize",
      at: `GET ${site}/openid/connect/authorize`,
      scope: "openid email profile",
    },
    "authorize, commas": {
      does: "authorize",
      at: `GET ${site}/openid/connect/authorize`,
      scope: "openid,email,profile",
    },
    "authorize, two slashes": {
      ...{ does: "authorize", at: `GET ${site}//openid/connect/authorize`, scope: "openid profile email" },
    },
    token: { does: "redeem", at: `POST ${site}/api/openid.connect.token`, secret: "parameters", reads },
    "token, Basic": { does: "redeem", at: `POST ${site}/api/openid.connect.token`, secret: "basic", reads },
    userinfo: {
      does: "who",
      at: `GET ${site}/api/openid.connect.userInfo`,
      token: "Bearer",
      reads: "ok sub email",
    },
    "userinfo, POST": {
      does: "who",
      at: `POST ${site}/api/openid.connect.userInfo`,
      token: "Bearer",
      reads: "ok sub",
    },
    test: { does: "who", at: `POST ${site}/api/auth.test`, token: "Bearer", reads: "ok user_id team_id" },
    revoke: { does: "revoke", at: `POST ${site}/api/auth.revoke`, token: "Bearer", reads: "ok revoked" },
    "revoke, GET": {
      ...{ does: "revoke", at: `GET ${site}/api/auth.revoke`, token: "Bearer", reads: "ok revoked" },
    },
    keys: { does: "keys", at: `GET ${site}/openid/connect/keys`, reads: "keys" },
  },
  libraries: [
    openauth("authorize", "token"),
    mozillaDjangoOidc("authorize", "token", "userinfo", "keys"),
    zitadelOidc("metadata", "authorize", "token, Basic", "userinfo", "keys"),
    nimbusOidc("metadata", "authorize", "token, Basic", "userinfo", "keys"),
    openidconnect("metadata", "authorize", "token, Basic", "userinfo", "keys"),
    ["npm @slack/web-api 8.2.0", "dist/methods.js", "token", "userinfo, POST", "test", "revoke"],
    [
      "PyPI slack_sdk 3.48.0",
      "slack_sdk/web/client.py, oauth/authorize_url_generator",
      "authorize, commas",
      "token, Basic",
      "userinfo, POST",
      "revoke, GET",
    ],
    ["Maven com.slack.api:slack-api-client 1.45.3", "Methods.java", "token", "userinfo, POST", "revoke"],
    [
      "Maven com.slack.api:bolt 1.45.3",
      "DefaultOAuthCallbackService.java, MethodsClient",
      ...["authorize, commas", "token", "userinfo, POST", "revoke"],
    ],
    ["npm arctic 3.7.0", "dist/providers/slack.js", "authorize", "token, Basic"],
    ["npm @auth/core 0.41.3", "providers/slack.js", "metadata", "authorize", "token, Basic", "keys"],
    ["npm next-auth 4.24.15", "providers/slack.js", "metadata", "authorize", "token, Basic", "keys"],
    [
      "npm better-auth 1.7.25",
      "@better-auth/core/dist/social-providers/slack.mjs",
      "authorize",
      "token",
      "userinfo",
    ],
    [
      "npm nuxt-auth-utils 0.5.30",
      "dist/runtime/server/lib/oauth/slack.js",
      "authorize",
      "token",
      "userinfo",
    ],
    [
      "PyPI django-allauth 65.22.1",
      "allauth/socialaccount/providers/slack/views.py",
      "authorize, two slashes",
      "token",
      "userinfo",
    ],
  ],
};
