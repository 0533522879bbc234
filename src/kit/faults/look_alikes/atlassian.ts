/** Atlassian, as it answers apps that log people in by OAuth 2.0 (3LO). */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { changeResponse } from "../changes.ts";
import {
  digitsFor,
  forCodes,
  forCredentials,
  forgoesPkce,
  forRefreshTokens,
  json,
  refreshesOnlyOffline,
  refusesByReason,
  refusesUnknown,
  secretInForm,
  sendsNoIdToken,
  sendsNoIss,
  withJson,
} from "./differences.ts";
import { type LookAlike, pagesOf, type ProviderEndpoint, type ShownPerson } from "./look_alike.ts";

const page = pagesOf("https://developer.atlassian.com/cloud/jira/platform/");
const apps = page("OAuth 2.0 (3LO) apps", "oauth-2-3lo-apps/");
const jira = page("The Jira Cloud platform REST API, Get current user", "rest/v3/api-group-myself/");
const jiraJs = page(
  "jira.js, which tells the two apart",
  "https://mrrefactoring.github.io/jira.js/api/functions/index.isReauthorizationRequired.html",
);
const wrongCode = page(
  "Couple of 3LO questions, a report in the community of Atlassian",
  "https://community.developer.atlassian.com/t/couple-of-3lo-questions/66643",
);
const restErrors = page("The Jira Cloud platform REST API, Status codes", "rest/v3/intro/#status-codes");
const serverInfo = page(
  "The Jira Cloud platform REST API, Get Jira instance info",
  "rest/v3/api-group-server-info/",
);
const confluence = page(
  "The Confluence Cloud REST API, Get current user",
  "https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-users/",
);
const identity = page(
  "User identity API",
  "https://developer.atlassian.com/platform/user-identity-api/",
);

const scopeError = page(
  "Raycast, whose extension for Jira has reports with this answer",
  "https://github.com/raycast/extensions/issues/11212",
);

const readsUsers = ["read:jira-user", "read:user:jira"];
const ofUsers = {
  source: page("The Jira Cloud platform REST API, Users", "rest/v3/api-group-users/"),
  scopes: readsUsers,
};
const ofProjects = {
  source: page("The Jira Cloud platform REST API, Projects", "rest/v3/api-group-projects/"),
  scopes: ["read:jira-work", "read:project:jira"],
};

/** What a program reads of Jira by its API. */
const ofJira:
  readonly (Pick<ProviderEndpoint, "source" | "scopes" | "shows" | "names"> & { path: string })[] = [
    { path: "myself", source: jira, scopes: readsUsers, shows: describeJiraUser },
    { path: "serverInfo", source: serverInfo, shows: describeServer },
    { ...ofUsers, path: "user", names: isAsked, shows: describeJiraUser },
    {
      ...{ ...ofUsers, path: "user/search" },
      shows: (_person, _scope, request, people) => {
        const query = readQuery(request.address, "query").toLowerCase();
        const isNamed = ({ claims: { name, email } }: ShownPerson) =>
          [name, email].some((each) => `${each ?? ""}`.toLowerCase().includes(query));
        const isFound = readQuery(request.address, "accountId") === ""
          ? isNamed
          : (each: ShownPerson) => isAsked(each, request);
        return people.filter(isFound).map(describeJiraUser);
      },
    },
    { ...ofProjects, path: "project", shows: () => [] },
    {
      ...{ ...ofProjects, path: "project/search" },
      shows: () => ({ startAt: 0, maxResults: 50, total: 0, isLast: true, values: [] }),
    },
  ];

/** The id of the site that each token is for. */
const site = "1324a887-45db-1bf4-1e99-ef0ff456d421";

export const atlassian: LookAlike = {
  addresses: (host) => ({
    issuer: `https://${host}`,
    endpoints: [
      { url: `https://${host}/authorize`, is: "authorize", source: apps },
      { url: `https://${host}/oauth/token`, is: "token", source: apps, accepts: [json(apps)] },
      {
        url: "https://api.atlassian.com/me",
        is: "userinfo",
        source: identity,
        scopes: ["read:me"],
        shows: describeUser,
      },
      {
        url: "https://api.atlassian.com/oauth/token/accessible-resources",
        is: "userinfo",
        source: apps,
        shows: listSites,
      },
      // JIRA::REST for Perl and gouqi for Rust ask for the latest one.
      ...[2, 3, "latest"].flatMap((version) =>
        ofJira.map((each) => ({
          ...each,
          ...{ url: `https://api.atlassian.com/ex/jira/${site}/rest/api/${version}/${each.path}` },
          is: "userinfo" as const,
        }))
      ),
      {
        url: `https://api.atlassian.com/ex/confluence/${site}/wiki/rest/api/user/current`,
        is: "userinfo",
        source: confluence,
        scopes: ["read:confluence-user", "read:content-details:confluence"],
        shows: describeConfluenceUser,
      },
    ],
  }),
  lax: [forgoesPkce(apps), secretInForm(apps)],
  differences: [
    sendsNoIss(apps),
    sendsNoIdToken(apps),
    refreshesOnlyOffline(apps),
    refusesByReason(
      "Wrong credentials are refused with access_denied, the error of a person who refuses.",
      jiraJs,
      ["token"],
      forCredentials(["access_denied", "Unauthorized", 401]),
    ),
    refusesByReason(
      "A code of no use is refused with invalid_request and `authorization_code is invalid`.",
      wrongCode,
      ["token"],
      forCodes(["invalid_request", "authorization_code is invalid"]),
    ),
    refusesByReason(
      "A wrong or expired refresh token is refused with 403.",
      apps,
      ["token"],
      forRefreshTokens(["invalid_grant", "Unknown or invalid refresh token.", 403]),
    ),
    {
      server: "Without a valid token or its scope, the API answers 401 with `code` and `message`.",
      source: scopeError,
      acts: changeResponse("userinfo", (answer) => {
        if (answer.status === 404) return withJson(answer, { errorMessages: ["User not found"], errors: {} });
        const message = messages[answer.status];
        return message === undefined ? answer : withJson({ ...answer, status: 401 }, { code: 401, message });
      }),
    },
    refusesUnknown(
      restErrors,
      /^https:\/\/api\.atlassian\.com\/ex\/jira\//,
      (message) => ({ errorMessages: [message], errors: {} }),
    ),
  ],
  leftOut: [
    "The site that a person chooses at the consent: there is one, and each token is for it.",
    "The host of the site itself, such as `shop.atlassian.net`: its API is at `api.atlassian.com/ex/jira/`.",
    "Other paths of the APIs of Jira and Confluence than these. Lists are empty: answer them with `as.route()`.",
    "The lifetimes, which stay those of this server.",
  ],
};

const messages: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Unauthorized; scope does not match",
};

function readQuery({ query }: Pick<IncomingRequest["address"], "query">, name: string): string {
  return new URLSearchParams(query).get(name) ?? "";
}

function isAsked({ subject }: ShownPerson, { address }: IncomingRequest): boolean {
  return readQuery(address, "accountId") === digitsFor(subject);
}

function describeUser({ username, subject, claims }: ShownPerson): Members {
  const {
    name = username,
    picture = avatarOf(subject),
    email = null,
    locale = "en-US",
    zoneinfo = "Etc/UTC",
  } = claims;
  return {
    ...{ account_type: "atlassian", account_id: digitsFor(subject), account_status: "active" },
    ...{ email, name, picture, nickname: username, zoneinfo, locale },
  };
}

function describeJiraUser({ username, subject, claims }: ShownPerson): Members {
  const { name = username, picture = avatarOf(subject), email, locale = "en_US", zoneinfo = "Etc/UTC" } =
    claims;
  const accountId = digitsFor(subject);
  return {
    self: `https://api.atlassian.com/ex/jira/${site}/rest/api/3/user?accountId=${accountId}`,
    ...{ accountId, accountType: "atlassian", displayName: name, active: true, timeZone: zoneinfo },
    ...{ locale: String(locale).replace("-", "_"), ...present({ emailAddress: email }) },
    avatarUrls: Object.fromEntries(["16x16", "24x24", "32x32", "48x48"].map((size) => [size, picture])),
    ...{ groups: emptyList, applicationRoles: emptyList, expand: "groups,applicationRoles" },
  };
}

const emptyList = { size: 0, items: [] };

/** The picture of a person who has none. */
function avatarOf(subject: string): string {
  return `https://secure.gravatar.com/avatar/${digitsFor(subject)}?d=mp`;
}

function describeServer(): Members {
  return {
    ...{
      baseUrl: shopUrl,
      displayUrl: shopUrl,
      version: "1001.0.0-SNAPSHOT",
      versionNumbers: [1001, 0, 0],
      deploymentType: "Cloud",
    },
    ...{ buildNumber: 100285, buildDate: "2026-01-01T00:00:00.000+0000", scmInfo: "postern" },
    ...{ serverTime: "2026-01-01T00:00:00.000+0000", serverTitle: "Jira" },
    defaultLocale: { locale: "en_US" },
  };
}

function describeConfluenceUser({ username, subject, claims }: ShownPerson): Members {
  const { name = username, email = "", picture, zoneinfo = "Etc/UTC" } = claims;
  const accountId = digitsFor(subject);
  return {
    ...{ type: "known", accountId, accountType: "atlassian", email, publicName: name, displayName: name },
    ...{ isExternalCollaborator: false, timeZone: zoneinfo },
    profilePicture: {
      ...{ path: picture ?? "/wiki/aa-avatar/default", width: 48, height: 48 },
      isDefault: picture === undefined,
    },
    _expandable: { operations: "", personalSpace: "", details: "" },
    _links: {
      self: `${shopUrl}/wiki/rest/api/user?accountId=${accountId}`,
      ...{ base: `${shopUrl}/wiki`, context: "/wiki" },
    },
  };
}

const shopUrl = "https://shop.atlassian.net";

function listSites(_person: ShownPerson, scope: readonly string[]): readonly Members[] {
  return [{
    id: site,
    name: "shop",
    url: shopUrl,
    scopes: scope.filter((each) => each !== "read:me" && each !== "offline_access"),
    avatarUrl: "https://site-admin-avatar-cdn.prod.public.atl-paas.net/avatars/240/flag.png",
  }];
}
