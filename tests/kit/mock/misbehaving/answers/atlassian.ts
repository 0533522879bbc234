/** The answers of Atlassian, Jira and Confluence. */

import type { Provider } from "../provider_answers.ts";

const site = "1324a887-45db-1bf4-1e99-ef0ff456d421";
const jira = `https://api.atlassian.com/ex/jira/${site}/rest/api/3`;

const user = `
  self:url accountId accountType active:boolean displayName emailAddress timeZone locale expand
  avatarUrls:{16x16:url 24x24:url 32x32:url 48x48:url} groups:{size:number} applicationRoles:{size:number}`;

export const atlassianAnswers: Provider = {
  authorize: "https://auth.atlassian.com/authorize",
  token: "https://auth.atlassian.com/oauth/token",
  login: { scope: "read:me read:jira-user read:jira-work read:confluence-user offline_access" },
  tokens: "access_token token_type expires_in:number scope refresh_token",
  answers: [
    [
      "GET https://api.atlassian.com/me",
      "account_type account_id account_status email name picture:url nickname zoneinfo locale",
    ],
    [
      "GET https://api.atlassian.com/oauth/token/accessible-resources",
      "[id name url:url scopes:texts avatarUrl:url]",
    ],
    [`GET ${jira}/myself`, user],
    [`GET ${jira}/user/search?query=`, `[${user}]`],
    [
      `GET ${jira}/serverInfo`,
      `baseUrl:url version versionNumbers:numbers deploymentType buildNumber:number buildDate serverTime scmInfo
      serverTitle defaultLocale:{locale}`,
    ],
    [
      `GET https://api.atlassian.com/ex/confluence/${site}/wiki/rest/api/user/current`,
      `type accountId accountType email publicName displayName timeZone isExternalCollaborator:boolean
      profilePicture:{path width:number height:number isDefault:boolean} _expandable:{operations personalSpace details}
      _links:{self:url base:url context}`,
    ],
  ],
  refused: "error error_description:text|absent",
  refusals: [
    ["an unknown code", 400, "invalid_request", "authorization_code is invalid"],
    ["another grant_type", 400],
    ["a wrong secret", 401, "access_denied", "Unauthorized"],
    ["an unknown refresh token", 403],
  ],
};
