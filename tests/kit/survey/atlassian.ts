/** What libraries call at Atlassian. */
import type { Survey } from "./survey.ts";

const site = "https://auth.atlassian.com";
const api = "https://api.atlassian.com";
const reads = "access_token expires_in";

export const atlassian: Survey = {
  scope: "read:me offline_access",
  calls: {
    authorize: {
      does: "authorize",
      at: `GET ${site}/authorize`,
      scope: "read:me offline_access",
      params: { audience: "api.atlassian.com", prompt: "consent" },
    },
    token: { does: "redeem", at: `POST ${site}/oauth/token`, secret: "parameters", reads },
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
    Jira: {
      ...{ does: "who", at: "GET https://api.atlassian.com/ex/jira/1/rest/api/2/myself", token: "Bearer" },
      leftOut: "The APIs of Jira and Confluence: answer them with `as.route()`.",
    },
  },
  libraries: [
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
      "Jira",
    ],
  ],
};
