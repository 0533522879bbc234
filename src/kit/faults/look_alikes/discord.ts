/** Discord, as it answers applications that log people in. */

import type { Members } from "../../../ground/values/members.ts";
import { digitsFor, forgoesPkce, sendsNoIdToken, sendsNoIss } from "./differences.ts";
import type { LookAlike, ShownPerson, Source } from "./look_alike.ts";

const oauth: Source = { title: "OAuth2", url: "https://discord.com/developers/docs/topics/oauth2" };
const user: Source = { title: "User Resource", url: "https://discord.com/developers/docs/resources/user" };

export const discord: LookAlike = {
  addresses(host) {
    const me = { is: "userinfo", source: user, scopes: ["identify"], shows: describeUser } as const;
    return {
      issuer: `https://${host}`,
      endpoints: [
        { url: `https://${host}/oauth2/authorize`, is: "authorize", source: oauth },
        { url: `https://${host}/api/oauth2/token`, is: "token", source: oauth },
        { url: `https://${host}/api/oauth2/token/revoke`, is: "revoke", source: oauth },
        { url: `https://${host}/api/users/@me`, ...me },
        { url: `https://${host}/api/v10/users/@me`, ...me },
      ],
    };
  },
  lax: [forgoesPkce(oauth)],
  differences: [
    sendsNoIss(oauth),
    sendsNoIdToken(oauth),
  ],
  leftOut: [
    "Bots, webhooks, servers (guilds), the implicit grant, and the parameters for them.",
    "That a revocation ends all tokens of the same authorization.",
    "The token endpoints below a version of the API, and other paths of the API than `/users/@me`.",
    "The lifetimes, which stay those of this server.",
  ],
};

/** The members that the scope gives. `id` is a text of digits that stays the same for a person. */
function describeUser({ username, subject, claims }: ShownPerson, scope: readonly string[]): Members {
  const { name = null, email = null, email_verified: verified = false } = claims;
  return {
    id: digitsFor(subject),
    username,
    discriminator: "0",
    global_name: name,
    avatar: null,
    ...(scope.includes("email") ? { email, verified } : {}),
  };
}
