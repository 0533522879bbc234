/** What libraries call at Atlassian. */
import { clientOauth2, grant, simpleOauth2 } from "./several_providers.ts";
import type { Call, Survey } from "./survey.ts";

const site = "https://auth.atlassian.com";
const api = "https://api.atlassian.com";
const jira = `${api}/ex/jira/1324a887-45db-1bf4-1e99-ef0ff456d421/rest/api`;
const reads = "access_token expires_in";

/** Each version has them. */
const ofJira = [
  ...[
    "user?accountId=789820650272555051",
    "user/search?query=alice",
    "project",
  ],
  "project/search",
].flatMap((path) => [`2/${path}`, `3/${path}`, `latest/${path}`]);

const jiraCalls: Readonly<Record<string, Call>> = Object.fromEntries(
  ofJira.map((path) => [path, { does: "who", at: `GET ${jira}/${path}`, token: "Bearer" }]),
);

export const atlassian: Survey = {
  scope: "read:me read:jira-user read:jira-work read:confluence-user offline_access",
  calls: {
    authorize: {
      does: "authorize",
      at: `GET ${site}/authorize`,
      scope: "read:me offline_access",
      params: { audience: "api.atlassian.com", prompt: "consent" },
    },
    token: { does: "redeem", at: `POST ${site}/oauth/token`, secret: "parameters", reads },
    "token, API": {
      ...{ does: "redeem", at: `POST ${api}/oauth/token`, secret: "parameters" },
      leftOut: "django-allauth redeems the code at the host of the API, which no page of Atlassian names.",
    },
    "token, JSON": {
      does: "redeem",
      at: `POST ${site}/oauth/token`,
      sends: "json",
      secret: "parameters",
      reads,
    },
    refresh: { does: "refresh", at: `POST ${site}/oauth/token`, secret: "parameters", reads },
    me: { does: "who", at: `GET ${api}/me`, token: "Bearer", reads: "account_id email name picture" },
    sites: { does: "who", at: `GET ${api}/oauth/token/accessible-resources`, token: "Bearer" },
    "Jira, version 2": {
      ...{ does: "who", at: `GET ${jira}/2/myself`, token: "Bearer" },
      reads: "accountId displayName",
    },
    "Jira, version 3": {
      ...{ does: "who", at: `GET ${jira}/3/myself`, token: "Bearer" },
      reads: "accountId displayName emailAddress timeZone avatarUrls",
    },
    server: { does: "who", at: `GET ${jira}/2/serverInfo`, token: "Bearer", reads: "version baseUrl" },
    "server, version 3": { does: "who", at: `GET ${jira}/3/serverInfo`, token: "Bearer", reads: "version" },
    "Jira, latest version": {
      ...{ does: "who", at: `GET ${jira}/latest/myself`, token: "Bearer" },
      reads: "accountId displayName",
    },
    "server, latest version": {
      does: "who",
      at: `GET ${jira}/latest/serverInfo`,
      token: "Bearer",
      reads: "version",
    },
    Confluence: {
      does: "who",
      at: `GET ${api}/ex/confluence/1324a887-45db-1bf4-1e99-ef0ff456d421/wiki/rest/api/user/current`,
      ...{ token: "Bearer", reads: "accountId displayName" },
    },
    ...jiraCalls,
    "token, callback with its query": {
      ...{ does: "redeem", at: `POST ${site}/oauth/token`, secret: "parameters" },
      params: { redirect_uri: "https://app.test/callback?code=1&state=s" },
      leftOut:
        "omniauth-atlassian-oauth2 adds the query of the callback to the redirect_uri, which no page of the provider allows. Its option `token_params: { redirect_uri: … }` sends the right one.",
    },
  },
  libraries: [
    [
      "npm confluence.js 2.1.0",
      "out/api/users.js, out/api/space.js, out/version2",
      "Confluence",
    ],
    [
      "npm jira-client 8.2.2",
      "lib/jira.js",
      "Jira, version 3",
      "server, version 3",
      "3/user/search?query=alice",
    ],
    simpleOauth2("authorize", "token", "token, JSON", "refresh"),
    clientOauth2("authorize", "token"),
    grant("authorize", "token", "me"),
    [
      "npm @backstage/plugin-auth-backend-module-atlassian-provider 0.4.19",
      "dist/authenticator.cjs.js",
      "authorize",
      "token",
      "me",
      "refresh",
    ],
    ["Atlassian's documentation", "OAuth 2.0 (3LO) apps", "authorize", "token, JSON", "me", "sites"],
    ["npm passport-atlassian-oauth2 2.1.0", "lib/oauth2.js", "authorize", "token", "me", "sites"],
    ["npm arctic 3.7.0", "dist/providers/atlassian.js", "authorize", "token", "refresh"],
    ["npm @auth/core 0.41.3", "providers/atlassian.js", "authorize", "token", "me"],
    [
      "PyPI atlassian-python-api 5.0.5",
      "the sample for OAuth 2.0, with requests-oauthlib",
      "authorize",
      "token",
      "refresh",
      "sites",
      "Jira, version 2",
    ],
    [
      "Ruby omniauth-atlassian-oauth2 0.2.0",
      "lib/omniauth/strategies/atlassian_oauth2.rb",
      "authorize",
      "sites",
      "Jira, version 3",
      "token, callback with its query",
    ],
    [
      "PyPI mcp-atlassian 0.22.1",
      "mcp_atlassian/utils/oauth.py, with atlassian-python-api",
      "authorize",
      "token",
      "refresh",
      "sites",
      "Jira, version 2",
      "Confluence",
    ],
    [
      "Perl JIRA::REST 0.023",
      "JIRA/REST.pm, with a token",
      "server, latest version",
      "Jira, latest version",
      ...ofJira.filter((path) => path.startsWith("latest")),
    ],
    [
      "PyPI jira 3.10.5",
      "jira/client.py, with a token",
      "server",
      "Jira, version 2",
      ...ofJira.filter((path) => path.startsWith("2")),
    ],
    [
      "npm jira.js 5.4.0",
      "src/version3/serverInfo.ts, myself.ts",
      "server, version 3",
      "Jira, version 3",
      ...ofJira.filter((path) => path.startsWith("3")),
    ],
    [
      "PyPI django-allauth 65.22.1",
      "allauth/socialaccount/providers/atlassian/views.py",
      "authorize",
      "token, API",
      "me",
    ],
  ],
};
