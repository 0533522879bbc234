/** GitLab, GitLab.com or an instance of its own. */

import type { Members } from "../../../ground/values/members.ts";
import { changeClaims, changeTokens, setting } from "../changes.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import {
  forgoesPkce,
  ignoresScopeOfCode,
  numberFor,
  secretEitherWay,
  sendsNoIss,
  tokenInQuery,
} from "./differences.ts";
import { type LookAlike, pagesOf, type ShownPerson } from "./look_alike.ts";

const page = pagesOf("https://docs.gitlab.com/");
const oauth = page("OAuth 2.0 identity provider API", "api/oauth2/");
const openId = page("GitLab as OpenID Connect identity provider", "integration/openid_connect_provider/");
const configuration = page(
  "The OpenID configuration of GitLab.com",
  "https://gitlab.com/.well-known/openid-configuration",
);
const users = page("Users API", "api/users/");

export const gitlab: LookAlike = {
  addresses: (host) => ({
    issuer: `https://${host}`,
    endpoints: [
      { url: `https://${host}/.well-known/openid-configuration`, is: "metadata", source: openId },
      { url: `https://${host}/oauth/authorize`, is: "authorize", source: oauth },
      { url: `https://${host}/oauth/token`, is: "token", source: oauth },
      { url: `https://${host}/oauth/userinfo`, is: "userinfo", source: openId },
      { url: `https://${host}/oauth/discovery/keys`, is: "jwks", source: configuration },
      { url: `https://${host}/oauth/revoke`, is: "revoke", source: oauth },
      { url: `https://${host}/oauth/introspect`, is: "introspect", source: configuration },
      {
        ...{ url: `https://${host}/oauth/token/info`, is: "introspect", source: oauth, method: "GET" },
        ...{ accepts: [tokenInQuery(oauth)], answer: describeToken },
      },
      { url: `https://${host}/oauth/authorize_device`, is: "device_authorization", source: oauth },
      { url: `https://${host}/oauth/device`, is: "device_verification", source: oauth },
      {
        url: `https://${host}/api/v4/user`,
        is: "userinfo",
        source: users,
        accepts: [tokenInQuery(oauth)],
        scopes: ["read_user", "api"],
        shows: (person) => describeUser(person, host),
      },
    ],
  }),
  lax: [forgoesPkce(oauth), secretEitherWay(configuration), ignoresScopeOfCode(oauth)],
  differences: [
    sendsNoIss(oauth),
    {
      server: "The token response has the member created_at.",
      source: oauth,
      acts: changeTokens(setting(({ now }) => ({ created_at: Math.floor(now()) }))),
    },
    {
      server: "In userinfo, the `nickname` is the user name.",
      source: openId,
      acts: changeClaims("userinfo", (claims) => {
        const username = claims["preferred_username"];
        return username === undefined ? claims : { ...claims, nickname: username };
      }),
    },
  ],
  leftOut: [
    "Version 3 of the API, such as `/api/v3/user`, which GitLab has removed.",
    "A code_verifier with the padding `=`, which RFC 7636 §4.1 does not allow.",
    "That a refresh also ends the old access token.",
    "The claims `groups` and `groups_direct`.",
    "Other paths of the API than `/api/v4/user`.",
    "The lifetimes, which stay those of this server, and the resource owner password flow.",
  ],
};

/** What the access token of the request is. */
async function describeToken(exchange: Exchange, services: Services): Promise<Answer> {
  const { settings: { issuer }, now } = services;
  const { token, client, grant } = await requireAccessToken(exchange, { audience: issuer }, services);
  return json({
    resource_owner_id: grant === undefined ? null : numberFor(grant.person.subject),
    scope: token.scope,
    expires_in: Math.floor(token.expiresAt - now()),
    application: { uid: client.id },
    created_at: token.claims["iat"],
  });
}

/** The members that a user without administrator rights always has. `id` is a number that stays the same for a person. */
function describeUser({ username, subject, claims }: ShownPerson, host: string): Members {
  const { name = username, email = null, picture = null } = claims;
  const since = "2012-05-23T08:00:58.000Z";
  return {
    ...{ id: numberFor(subject), username, name, state: "active", locked: false, avatar_url: picture },
    ...{
      web_url: `https://${host}/${username}`,
      created_at: since,
      bio: "",
      location: "",
      public_email: null,
    },
    ...{
      linkedin: "",
      twitter: "",
      discord: "",
      website_url: "",
      organization: "",
      job_title: "",
      pronouns: null,
    },
    ...{
      bot: false,
      work_information: null,
      followers: 0,
      following: 0,
      local_time: null,
      last_sign_in_at: since,
    },
    ...{ confirmed_at: since, last_activity_on: since.slice(0, 10), email, theme_id: 1, color_scheme_id: 1 },
    ...{ projects_limit: 100000, current_sign_in_at: since, identities: [], can_create_group: true },
    ...{ can_create_project: true, two_factor_enabled: false, external: false, private_profile: false },
    ...{ commit_email: email },
  };
}
