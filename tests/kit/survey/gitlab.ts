/** What libraries call at GitLab. */
import type { Survey } from "./survey.ts";

const site = "https://gitlab.com";
const reads = "access_token refresh_token created_at";

export const gitlab: Survey = {
  scope: "openid read_user email",
  calls: {
    metadata: {
      does: "metadata",
      at: `GET ${site}/.well-known/openid-configuration`,
      reads: "issuer jwks_uri",
    },
    authorize: { does: "authorize", at: `GET ${site}/oauth/authorize`, scope: "read_user" },
    token: { does: "redeem", at: `POST ${site}/oauth/token`, secret: "parameters", reads },
    "token, Basic": { does: "redeem", at: `POST ${site}/oauth/token`, secret: "basic", reads },
    refresh: { does: "refresh", at: `POST ${site}/oauth/token`, secret: "parameters", reads },
    "refresh, Basic": { does: "refresh", at: `POST ${site}/oauth/token`, secret: "basic", reads },
    user: {
      does: "who",
      at: `GET ${site}/api/v4/user`,
      token: "Bearer",
      reads: "id username name email avatar_url",
    },
    "user, query": {
      does: "who",
      at: `GET ${site}/api/v4/user`,
      token: "access_token",
      reads: "id username",
    },
    "user, version 3": {
      ...{ does: "who", at: `GET ${site}/api/v3/user`, token: "access_token" },
      leftOut: "GitLab has ended version 3 of its API.",
    },
    userinfo: { does: "who", at: `GET ${site}/oauth/userinfo`, token: "Bearer", reads: "sub" },
    keys: { does: "keys", at: `GET ${site}/oauth/discovery/keys`, reads: "keys" },
    revoke: {
      does: "revoke",
      at: `POST ${site}/oauth/revoke`,
      secret: "basic",
      params: { token: "{access_token}" },
    },
    "token info": {
      does: "introspect",
      at: `GET ${site}/oauth/token/info`,
      token: "Bearer",
      reads: "resource_owner_id scope expires_in",
    },
    device: { does: "device", at: `POST ${site}/oauth/authorize_device`, reads: "device_code user_code" },
    groups: {
      ...{ does: "who", at: `GET ${site}/api/v4/groups`, token: "Bearer" },
      leftOut: "Groups and projects are data of a person: answer them with `as.route()`.",
    },
    "token, query": {
      ...{ does: "redeem", at: `POST ${site}/oauth/token`, sends: "query" },
      leftOut:
        "taiga sends the parameters of a POST in the query, also the secret. No page of the provider names that.",
    },
    "token, padded verifier": {
      ...{ does: "redeem", at: `POST ${site}/oauth/token` },
      leftOut:
        "git-credential-oauth 0.4 pads its code_verifier with `=`, which is not among the characters that " +
        "RFC 7636 and the page of GitLab allow.",
    },
    "token, query": {
      ...{ does: "redeem", at: `POST ${site}/oauth/token`, sends: "query" },
      leftOut:
        "JustAuth sends the parameters of a POST in the query, also the secret. No page of the provider names that.",
    },
  },
  libraries: [
    [
      "PyPI taiga-contrib-gitlab-auth-official 3.1.1",
      "taiga_contrib_gitlab_auth/connector.py",
      "token, query",
      "user, version 3",
    ],
    [
      "PyPI django-gitlab-auth 0.1.1",
      "django_gitlab_auth/oidc.py",
      "authorize",
      "token, Basic",
      "user, query",
    ],
    [
      "PyPI swarmauri-auth-idp-gitlab 0.11.0.dev2",
      "swarmauri_auth_idp_gitlab",
      "metadata",
      "authorize",
      "token",
      "user",
      "keys",
    ],
    ["crates oauth2-gitlab 0.2.0", "src/lib.rs, src/extensions", "authorize", "token", "user"],
    ["Maven io.vertx:vertx-auth-oauth2 4.5.14", "providers/GitLabAuth.java", "authorize", "token", "user"],
    [
      "Go github.com/ory/kratos 1.3.1",
      "selfservice/strategy/oidc/provider_gitlab.go",
      "authorize",
      "token",
      "userinfo",
    ],
    ["crates gitlab 0.1905.0", "src/gitlab.rs, with_oauth2", "user"],
    ["npm passport-gitlab2 5.0.0", "lib/strategy.js", "authorize", "token", "user"],
    ["PyPI python-gitlab 8.6.0", "gitlab/client.py", "user"],
    ["npm @gitbeaker/rest 43.8.0", "dist/index.js", "user"],
    ["npm arctic 3.7.0", "dist/providers/gitlab.js", "authorize", "token, Basic", "refresh, Basic", "revoke"],
    ["npm @auth/core 0.41.3", "providers/gitlab.js", "authorize", "token, Basic", "user"],
    ["npm next-auth 4.24.15", "providers/gitlab.js", "authorize", "token, Basic", "user"],
    [
      "npm better-auth 1.7.25",
      "@better-auth/core/dist/social-providers/gitlab.mjs",
      "authorize",
      "token",
      "refresh",
      "user",
    ],
    ["npm nuxt-auth-utils 0.5.30", "dist/runtime/server/lib/oauth/gitlab.js", "authorize", "token", "user"],
    [
      "PyPI social-auth-core 7.0.0",
      "social_core/backends/gitlab.py",
      "authorize",
      "token",
      "refresh",
      "user, query",
    ],
    ["PyPI fastapi-sso 0.23.0", "fastapi_sso/sso/gitlab.py", "authorize", "token, Basic", "user"],
    [
      "Go github.com/markbates/goth 1.82.0",
      "providers/gitlab/gitlab.go",
      "authorize",
      "token, Basic",
      "user, version 3",
    ],
    [
      "Go golang.org/x/oauth2 0.38.0",
      "endpoints/endpoints.go",
      "authorize",
      "token, Basic",
      "token",
      "device",
    ],
    ["Go github.com/xanzy/go-gitlab 0.115.0", "users.go", "user"],
    ["Go gitlab.com/gitlab-org/api/client-go 1.46.0", "users.go", "user"],
    [
      "Go github.com/oauth2-proxy/oauth2-proxy/v7 7.15.6",
      "providers/gitlab.go",
      "metadata",
      "authorize",
      "token",
      "userinfo",
      "keys",
      "groups",
    ],
    [
      "Go github.com/dexidp/dex 2.13.0",
      "connector/gitlab/gitlab.go",
      "authorize",
      "token, Basic",
      "user",
      "groups",
    ],
    ["Maven org.gitlab4j:gitlab4j-api 6.0.0", "UserApi.java", "user"],
    [
      "Maven me.zhyd.oauth:JustAuth 1.16.7",
      "AuthDefaultSource.java",
      "authorize",
      "user, query",
      "token, query",
    ],
    ["GitLab's documentation", "OAuth 2.0 identity provider API", "token info"],
    ["Ruby omniauth-gitlab 4.1.0", "lib/omniauth/strategies/gitlab.rb", "authorize", "token", "user"],
    ["PyPI chainlit 2.12.0", "chainlit/oauth_providers.py", "authorize", "token", "userinfo"],
    ["Go github.com/hickford/git-credential-oauth 0.4.2", "main.go", "authorize", "token, padded verifier"],
    ["PyPI asok-auth-providers 1.0.0", "asok_auth_providers/providers.py", "authorize", "token", "user"],
  ],
};
