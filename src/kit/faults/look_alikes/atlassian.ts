/** Atlassian, as it answers apps that log people in by OAuth 2.0 (3LO). */

import type { Members } from "../../../ground/values/members.ts";
import {
  digitsFor,
  forgoesPkce,
  json,
  refreshesOnlyOffline,
  secretInForm,
  sendsNoIdToken,
  sendsNoIss,
} from "./differences.ts";
import { type LookAlike, pagesOf, type ShownPerson } from "./look_alike.ts";

const page = pagesOf("https://developer.atlassian.com/cloud/jira/platform/");
const apps = page("OAuth 2.0 (3LO) apps", "oauth-2-3lo-apps/");
const identity = page(
  "User identity API",
  "https://developer.atlassian.com/platform/user-identity-api/",
);

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
    ],
  }),
  lax: [forgoesPkce(apps), secretInForm(apps)],
  differences: [sendsNoIss(apps), sendsNoIdToken(apps), refreshesOnlyOffline(apps)],
  leftOut: [
    "The site that a person chooses at the consent: there is one, and each token is for it.",
    "The APIs of Jira and Confluence, and the lifetimes, which stay those of this server.",
  ],
};

function describeUser({ username, subject, claims }: ShownPerson): Members {
  const { name = username, picture = null, email = null, locale = "en-US", zoneinfo = "Etc/UTC" } = claims;
  return {
    ...{ account_type: "atlassian", account_id: digitsFor(subject), account_status: "active" },
    ...{ email, name, picture, nickname: username, zoneinfo, locale },
  };
}

function listSites(_person: ShownPerson, scope: readonly string[]): readonly Members[] {
  return [{
    id: "1324a887-45db-1bf4-1e99-ef0ff456d421",
    name: "shop",
    url: "https://shop.atlassian.net",
    scopes: scope.filter((each) => each !== "read:me" && each !== "offline_access"),
    avatarUrl: "https://site-admin-avatar-cdn.prod.public.atl-paas.net/avatars/240/flag.png",
  }];
}
