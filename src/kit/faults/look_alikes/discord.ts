/** Discord, as it answers applications that log people in. */

import { digest } from "../../../ground/crypto/platform.ts";
import { encodeOctets } from "../../../ground/values/octets.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { present } from "../../../ground/values/present.ts";
import { changeClaims } from "../changes.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import {
  digitsFor,
  forgoesPkce,
  ignoresScopeOfCode,
  multipart,
  publishesMetadata,
  refusesUnknown,
  revokesGrants,
  sameSecretTwice,
  secretEitherWay,
  typesKeysAsJson,
  withJson,
} from "./differences.ts";
import type { LookAlike, ShownPerson, Source } from "./look_alike.ts";

const oauth: Source = { title: "OAuth2", url: "https://discord.com/developers/docs/topics/oauth2" };
const user: Source = { title: "User Resource", url: "https://discord.com/developers/docs/resources/user" };

const versions: Source = { title: "API Reference", url: "https://discord.com/developers/docs/reference" };
const errors: Source = {
  title: "Opcodes and Status Codes",
  url: "https://discord.com/developers/docs/topics/opcodes-and-status-codes",
};

const configuration: Source = {
  title: "The OpenID configuration of Discord",
  url: "https://discord.com/.well-known/openid-configuration",
};

const bothForms: Source = {
  title: "A developer of Discord: the framework of the API reads both forms",
  url: "https://github.com/discord/discord-api-docs/issues/2206",
};

const elysia: Source = {
  title: "@bogeychan/elysia-oauth2, which redeems a code so",
  url: "https://github.com/bogeychan/elysia-oauth2/blob/main/src/index.ts",
};

export const discord: LookAlike = {
  addresses(host) {
    const accepts = [multipart(bothForms)];
    const me = { is: "userinfo", source: user, scopes: ["identify"], shows: describeUser } as const;
    const current = {
      is: "introspect",
      source: oauth,
      method: "GET",
      answer: describeAuthorization,
    } as const;
    return {
      issuer: `https://${host}`,
      // The version of the API.
      optionalInPath: /(?<=^\/api)\/v\d+(?=\/)/,
      endpoints: [
        { url: `https://${host}/.well-known/openid-configuration`, is: "metadata", source: configuration },
        { url: `https://${host}/api/oauth2/authorize`, is: "authorize", source: oauth },
        { url: `https://${host}/oauth2/authorize`, is: "authorize", source: oauth },
        { url: `https://${host}/api/oauth2/token`, is: "token", source: oauth, accepts },
        { url: `https://${host}/api/oauth2/token/revoke`, is: "revoke", source: oauth, accepts },
        { url: `https://${host}/api/oauth2/keys`, is: "jwks", source: configuration },
        {
          ...{ url: `https://${host}/api/oauth2/userinfo`, is: "userinfo", source: configuration } as const,
          ...{ scopes: ["openid"], isAnnounced: true, shows: describeClaims } as const,
        },
        { url: `https://${host}/api/users/@me`, ...me },
        { url: `https://${host}/api/oauth2/@me`, ...current },
        // Libraries also encode the sign.
        { url: `https://${host}/api/users/%40me`, ...me },
        { url: `https://${host}/api/oauth2/%40me`, ...current },
        ...["guilds", "connections"].flatMap((data) =>
          ["@me", "%40me"].map((me) => ({
            ...{ url: `https://${host}/api/users/${me}/${data}`, is: "userinfo", source: user } as const,
            ...{ scopes: [data], shows: () => [] },
          }))
        ),
      ],
    };
  },
  lax: [
    forgoesPkce(oauth),
    secretEitherWay(oauth),
    sameSecretTwice(elysia),
    ignoresScopeOfCode(oauth),
    revokesGrants(oauth),
    {
      server: "With `prompt=none`, a person who has not authorized the application yet is asked.",
      source: oauth,
      reads: [{
        at: "authorize",
        pairs: (sent) => sent.filter(([name, value]) => name !== "prompt" || value !== "none"),
      }],
    },
    {
      server: "The path may have a version after `/api`, such as `/v10`, which changes nothing here.",
      source: versions,
    },
  ],
  differences: [
    typesKeysAsJson(configuration),
    {
      server: "The `sub` of an ID token is the id of the user, as at `/users/@me`.",
      source: configuration,
      acts: changeClaims(
        ["id_token", "userinfo"],
        (claims, _tools, { grant }) =>
          grant === undefined ? claims : { ...claims, sub: digitsFor(grant.subject) },
      ),
    },
    publishesMetadata(configuration, [
      "grant_types_supported",
      "code_challenge_methods_supported",
      "authorization_response_iss_parameter_supported",
    ], {
      subject_types_supported: ["public"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    }),
    {
      server: "The errors of the API are JSON with `message` and `code`, also without a token.",
      source: errors,
      acts: () => ({ response: (answer, { endpoint }) => describeError(answer, endpoint) }),
    },
    refusesUnknown(errors, /^https:\/\/[^/]+\/api\//, (message) => ({ message, code: 0 })),
  ],
  leftOut: [
    "The host `discordapp.com`, which Discord used until 2020 and gave up: libraries as old as that need another version.",
    "Bots, webhooks, servers (guilds), the implicit grant, and the parameters for them.",
    "Other paths of the API than these. The lists of guilds and connections are empty: answer them with `as.route()`.",
    "JSON bodies.",
    "The lifetimes, which stay those of this server.",
  ],
};

function describeError(answer: Answer, endpoint: string): Answer {
  if (!["userinfo", "introspect"].includes(endpoint)) return answer;
  if (answer.status === 401) return withJson(answer, { message: "401: Unauthorized", code: 0 });
  return answer.status === 403 ? withJson(answer, { message: "Missing Access", code: 50001 }) : answer;
}

/** What the access token allows, and to which application. */
async function describeAuthorization(exchange: Exchange, services: Services): Promise<Answer> {
  const { issuer } = services.settings;
  const { token, client, grant } = await requireAccessToken(exchange, { audience: issuer }, services);
  const user = grant && token.scope.includes("identify")
    ? describeUser(grant.person, token.scope)
    : undefined;
  return json({
    application: {
      ...{ id: client.id, name: client.id, icon: null, description: "" },
      ...{ hook: true, bot_public: true, bot_require_code_grant: false },
      verify_key: encodeOctets(digest("sha256", client.id), "hex"),
    },
    scopes: token.scope,
    expires: new Date(token.expiresAt * 1000).toISOString(),
    user,
  });
}

function describeClaims({ username, subject, claims }: ShownPerson, scope: readonly string[]): Members {
  const { name, picture, locale = "en-US", email, email_verified = false } = claims;
  return present({
    ...{ sub: digitsFor(subject), preferred_username: username, nickname: name, picture, locale },
    ...(scope.includes("email") ? { email, email_verified } : {}),
  });
}

/** The members that the scope gives. `id` is a text of digits that stays the same for a person. */
function describeUser({ username, subject, claims }: ShownPerson, scope: readonly string[]): Members {
  const { name = null, email = null, email_verified: verified = false, locale = "en-US" } = claims;
  return {
    id: digitsFor(subject),
    username,
    discriminator: "0",
    global_name: name,
    avatar: null,
    banner: null,
    accent_color: null,
    locale,
    mfa_enabled: false,
    flags: 0,
    public_flags: 0,
    premium_type: 0,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
    ...(scope.includes("email") ? { email, verified } : {}),
  };
}
