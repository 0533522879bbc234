/** GitLab, GitLab.com or an instance of its own. */

import type { Members } from "../../../ground/values/members.ts";
import { changeTokens, setting } from "../changes.ts";
import { forgoesPkce, numberFor, sendsNoIss } from "./differences.ts";
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
      { url: `https://${host}/oauth/authorize_device`, is: "device_authorization", source: oauth },
      { url: `https://${host}/oauth/device`, is: "device_verification", source: oauth },
      {
        url: `https://${host}/api/v4/user`,
        is: "userinfo",
        source: users,
        scopes: ["read_user", "api"],
        shows: (person) => describeUser(person, host),
      },
    ],
  }),
  lax: [forgoesPkce(oauth)],
  differences: [
    sendsNoIss(oauth),
    {
      server: "The token response has the member created_at.",
      source: oauth,
      acts: changeTokens(setting(({ now }) => ({ created_at: Math.floor(now()) }))),
    },
  ],
  leftOut: [
    "That a refresh also ends the old access token.",
    "The claims `nickname`, `groups` and `groups_direct`. The user name is in `preferred_username`.",
    "Access tokens as a parameter of the URL, `/oauth/token/info`, and other paths of the API than `/api/v4/user`.",
    "The lifetimes, which stay those of this server, and the resource owner password flow.",
  ],
};

/** The members that a login needs. `id` is a number that stays the same for a person. */
function describeUser({ username, subject, claims }: ShownPerson, host: string): Members {
  const { name = username, email = null, picture = null } = claims;
  return {
    id: numberFor(subject),
    username,
    name,
    state: "active",
    avatar_url: picture,
    web_url: `https://${host}/${username}`,
    email,
  };
}
