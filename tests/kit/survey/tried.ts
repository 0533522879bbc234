/** The libraries that were tried by hand at look-alikes. */
import type { LookAlikeName } from "../../../src/kit/faults/look_alikes/providers.ts";

export const tried: readonly (readonly [libraries: string, names: readonly LookAlikeName[]])[] = [
  ["npm auth0 5.14.1, npm passport-auth0 1.4.5, PyPI auth0-python 6.8.0, Maven com.auth0:auth0 2.21.0", [
    "auth0",
  ]],
  ["npm @octokit/oauth-app 8.0.4, @octokit/auth-oauth-app 9.0.5, passport-github 1.1.0", ["github"]],
  [
    "PyPI google-auth 2.63.0, google-auth-oauthlib 1.5.0 and google-api-python-client 2.202.0; Maven google-api-client 2.8.0 " +
    "and google-auth-library-oauth2-http; npm passport-google-oauth20 2.0.0, passport-google-oauth2 0.2.0 and " +
    "passport-google-oidc 0.1.0",
    ["google"],
  ],
  ["npm discord-oauth2 2.12.1 and @discordjs/core 2.6.0", ["discord"]],
  ["PyPI python-gitlab 8.6.0, npm @gitbeaker/rest 43.8.0", ["gitlab"]],
  ["PyPI msal 1.39.0, Maven msal4j 1.21.0, npm passport-microsoft 2.1.0", ["entra"]],
  ["npm @okta/jwt-verifier 4.0.2", ["okta"]],
  ["PyPI python-keycloak 7.1.1, npm passport-keycloak-oauth2-oidc 1.0.5 and keycloak-connect 26.1.1", [
    "keycloak",
  ]],
  ["npm passport-atlassian-oauth2 2.1.0", ["atlassian"]],
  ["npm apple-signin-auth 2.1.0", ["apple"]],
  ["PyPI slack_sdk 3.48.0, npm @slack/web-api 8.2.0", ["slack", "slack_openid"]],
  ["Maven slack-api-client 1.45.3, npm passport-slack-oauth2 1.2.0 and passport-slack 0.0.7", ["slack"]],
  ["PyPI facebook-sdk 3.1.0, Maven restfb 2025.10.0, npm fbgraph 1.4.4", ["facebook"]],
  ["npm linkedin-api-client 0.3.0", ["linkedin"]],
  [
    "PyPI social-auth-core 7.0.0",
    ["cognito", "discord", "entra", "facebook", "github", "gitlab", "google", "linkedin", "okta", "slack"],
  ],
  [
    "Go github.com/markbates/goth 1.82.0",
    [
      "auth0",
      "cognito",
      "discord",
      "entra",
      "facebook",
      "github",
      "gitlab",
      "google",
      "keycloak",
      "linkedin",
      "okta",
      "slack",
    ],
  ],
  ["PyPI fastapi-sso 0.23.0", ["discord", "entra", "facebook", "github", "gitlab", "google"]],
  [
    "npm better-auth 1.7.25",
    ["cognito", "discord", "entra", "facebook", "github", "gitlab", "google", "linkedin", "slack_openid"],
  ],
  [
    "npm @auth/core 0.41.3",
    [
      ...[
        "auth0",
        "cognito",
        "discord",
        "entra",
        "facebook",
        "github",
        "gitlab",
        "google",
        "keycloak",
      ] as const,
      ...["linkedin", "okta", "slack_openid"] as const,
    ],
  ],
  ["npm passport-gitlab2 5.0.0", ["gitlab"]],
  ["npm passport-facebook 3.0.0", ["facebook"]],
  ["npm passport-discord 0.1.4", ["discord"]],
  ["npm passport-okta-oauth20 1.1.0", ["okta"]],
  ["npm grant 5.4.24", ["linkedin"]],
  ["npm express-openid-connect 3.4.0", ["auth0"]],
  ["npm @hono/oauth-providers 0.8.8, PyPI Flask-Dance 7.1.0", ["github"]],
  ["npm @fastify/oauth2 8.3.0, in a process", ["google"]],
  ["PyPI httpx-oauth 0.17.0", ["discord", "github", "google", "linkedin"]],
  ["Go github.com/coreos/go-oidc/v3 3.21.0", ["google", "linkedin", "okta"]],
  ["PyPI Authlib 1.9.10 and requests-oauthlib 2.0.0", ["github", "google"]],
];
