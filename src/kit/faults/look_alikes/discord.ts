/** Discord, as it answers applications that log people in. */

import { digest } from "../../../ground/crypto/platform.ts";
import { encodeOctets, encodeText } from "../../../ground/values/octets.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { present } from "../../../ground/values/present.ts";
import { changeClaims, changeText, changeTokens } from "../changes.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import {
  digitsFor,
  forCodes,
  forgoesPkce,
  ignoresScopeOfCode,
  multipart,
  opaqueAccessTokens,
  publishesMetadata,
  refusesByReason,
  refusesUnknown,
  revokesGrants,
  sameSecretTwice,
  secretEitherWay,
  sendsNoIss,
  tokenByScheme,
  typesKeysAsJson,
  withJson,
  wordsRedirects,
} from "./differences.ts";
import { type LookAlike, pagesOf, type ShownPerson } from "./look_alike.ts";

const page = pagesOf("https://discord.com/developers/docs/");
const oauth = page("OAuth2", "topics/oauth2");
const user = page("User Resource", "resources/user");
const versions = page("API Reference", "reference");
const errors = page("Opcodes and Status Codes", "topics/opcodes-and-status-codes");
const application = page("Application Resource", "resources/application#get-current-application");
const configuration = page(
  "The OpenID configuration of Discord",
  "https://discord.com/.well-known/openid-configuration",
);
const bothForms = page(
  "A developer of Discord: the framework of the API reads both forms",
  "https://github.com/discord/discord-api-docs/issues/2206",
);
const misskey = page(
  "Misskey, which changed the host in 2021, when both worked",
  "https://github.com/misskey-dev/misskey/pull/7140",
);
const discord4j = page(
  "discord-json of Discord4J, which requires this member",
  "https://github.com/Discord4J/discord-json",
);
const elysia = page(
  "@bogeychan/elysia-oauth2, which redeems a code so",
  "https://github.com/bogeychan/elysia-oauth2/blob/main/src/index.ts",
);

export const discord: LookAlike = {
  addresses(host) {
    const accepts = [multipart(bothForms)];
    const asBot = [tokenByScheme("Bot", versions)];
    const me = {
      ...{ is: "userinfo", source: user, scopes: ["identify"], shows: describeUser } as const,
      ...{ accepts: asBot, showsClient: describeOwn },
    };
    const current = {
      is: "introspect",
      source: oauth,
      method: "GET",
      answer: describeAuthorization,
    } as const;
    return {
      issuer: `https://${host}`,
      aliases: { "https://discordapp.com": `https://${host}` },
      leads: ["https://discordapp.com"],
      // The version of the API, the id of a user, and a guild with what it has.
      optionalInPath:
        /(?<=^\/api)\/v\d+(?=\/)|(?<=^\/api(?:\/v\d+)?)\/(?=\/)|(?<=\/users|\/users\/(?:@|%40)me\/guilds)\/\d+(?=\/member$|$)|(?<=^\/api(?:\/v\d+)?\/guilds)\/.+$/g,
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
        {
          ...{ url: `https://${host}/api/users`, is: "userinfo", source: user, accepts: asBot } as const,
          written: `https://${host}/api/users/{id}`,
          names: ({ subject }, { address }) => address.path.endsWith(`/${digitsFor(subject)}`),
          shows: (person) => describeUser(person, []),
          showsClient: (id, { address }) =>
            address.path.endsWith(`/${snowflakeOf(id)}`) ? describeBot(id) : undefined,
        },
        ...["users/@me/guilds/member", "users/%40me/guilds/member", "guilds"].map((path) => ({
          ...{ url: `https://${host}/api/${path}`, is: "userinfo", source: user, accepts: asBot } as const,
          written: `https://${host}/api/${path.replace(/(guilds)(.*)/, "$1/{id}$2")}`,
          ...{ scopes: path === "guilds" ? [] : ["guilds.members.read"], names: () => false },
          shows: () => undefined,
        })),
        ...["applications", "oauth2/applications"].flatMap((path) =>
          ["@me", "%40me"].map((me) => ({
            ...{ url: `https://${host}/api/${path}/${me}`, is: "introspect", source: application } as const,
            ...{ method: "GET", accepts: asBot, answer: describeOwnApplication } as const,
          }))
        ),
        ...["guilds", "connections"].flatMap((data) =>
          ["@me", "%40me"].map((me) => ({
            ...{ url: `https://${host}/api/users/${me}/${data}`, is: "userinfo", source: user } as const,
            ...{ scopes: [data], shows: () => [] },
            ...(data === "guilds" ? { accepts: asBot, showsClient: () => [] } : {}),
          }))
        ),
      ],
    };
  },
  lax: [
    forgoesPkce(oauth),
    opaqueAccessTokens(oauth),
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
      server:
        "The token of a bot is one that its client gets by `client_credentials`, and follows the scheme `Bot`.",
      source: versions,
    },
    {
      server:
        "That token begins with the id of the bot in base64url, which libraries read there, and has three parts.",
      source: versions,
      sets: { ownTokenOf: (text) => text.replace(/^\w+\.(?=[\w-]+\.)/, "") },
    },
    {
      server:
        "The host may be `discordapp.com`, as until 2020, from which a browser is led to the usual one.",
      source: misskey,
    },
    {
      server: "The path may have a version after `/api`, such as `/v10`, which changes nothing here.",
      source: versions,
    },
  ],
  differences: [
    typesKeysAsJson(configuration),
    sendsNoIss(oauth),
    refusesByReason(
      "A wrong, used or expired code is refused in the words of Discord.",
      page(
        "A developer of Discord about this error",
        "https://github.com/discord/discord-api-docs/issues/982",
      ),
      ["token"],
      forCodes(["invalid_grant", 'Invalid "code" in request.']),
    ),
    refusesByReason(
      "Another redirect URI is refused with invalid_request.",
      page(
        "Developers who had this error",
        "https://github.com/discord/discord-api-docs/issues/4076",
      ),
      ["token"],
      { redirect_uri_differs: ["invalid_request", 'Invalid "redirect_uri" in request.'] },
    ),
    wordsRedirects(oauth, { access_denied: "The resource owner or authorization server denied the request" }),
    {
      server: "The access token of a client alone is that of its bot.",
      source: versions,
      acts: changeTokens((members, { findPerson }, { exchange: { facts: { clientId = "" } }, grant }) => {
        if (findPerson(grant?.subject ?? "") !== undefined) return members;
        const id = encodeText(snowflakeOf(clientId), "base64url");
        return changeText(members, "access_token", (text) => `${id}.${text}`);
      }),
    },
    {
      server:
        "The token of a client alone is that of the `owner` of the application, if it follows the scheme `Bearer`.",
      source: oauth,
    },
    {
      server: "A bot's own application has a `summary`, which is empty.",
      source: discord4j,
    },
    {
      server: "The `owner` of an application is the first of the people.",
      source: application,
    },
    {
      server:
        "The id of an application and of its bot are the client_id, or digits that stay the same for it.",
      source: versions,
    },
    {
      server: "The `sub` of an ID token is the id of the user, as at `/users/@me`.",
      source: configuration,
      acts: changeClaims(
        "id_token",
        (claims, _tools, { grant }) =>
          grant === undefined ? claims : { ...claims, sub: digitsFor(grant.subject) },
      ),
    },
    publishesMetadata(configuration, {
      subject_types_supported: ["public"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    }, [
      "grant_types_supported",
      "code_challenge_methods_supported",
      "authorization_response_iss_parameter_supported",
    ]),
    {
      server:
        "The errors of the API are JSON with `message` and `code`, also without a token. That for a scope that lacks is " +
        "`401: Unauthorized`, too.",
      source: page(
        "A developer of Discord about the status",
        "https://github.com/discord/discord-api-docs/issues/3945",
      ),
      acts: () => ({
        response: (answer, { endpoint, exchange: { request: { address } } }) =>
          describeError(answer, endpoint, address.path),
      }),
    },
    refusesUnknown(errors, /^https:\/\/[^/]+\/api\//, (message) => ({ message, code: 0 })),
  ],
  leftOut: [
    "The gateway of bots, webhooks, the implicit grant, and the parameters for them.",
    "Other paths of the API than these. Lists are empty, and guilds are not found: answer them with `as.route()`.",
    "JSON bodies.",
    "The lifetimes, which stay those of this server.",
  ],
};

function describeError(answer: Answer, endpoint: string, path: string): Answer {
  if (!["userinfo", "introspect"].includes(endpoint)) return answer;
  if ([401, 403].includes(answer.status)) {
    return withJson({ ...answer, status: 401 }, { message: "401: Unauthorized", code: 0 });
  }
  if (answer.status !== 404) return answer;
  return withJson(
    answer,
    /\/guilds\//.test(path)
      ? { message: "Unknown Guild", code: 10004 }
      : { message: "Unknown User", code: 10013 },
  );
}

/** The token of a bot is that of its client alone. */
async function describeOwnApplication(exchange: Exchange, services: Services): Promise<Answer> {
  const { issuer, people } = services.settings;
  const { client } = await requireAccessToken(exchange, { audience: issuer }, services);
  const { id, redirectUris } = client;
  return json({
    ...describeApplication(client),
    ...{ summary: "", bot: describeBot(id), owner: describeUser(ownerOf(people.all, id), []), team: null },
    ...{ redirect_uris: redirectUris, interactions_endpoint_url: null, tags: [], max_participants: null },
    ...{ role_connections_verification_url: null, explicit_content_filter: 0, event_webhooks_status: 1 },
    ...{ approximate_guild_count: 0, approximate_user_install_count: 0 },
    approximate_user_authorization_count: 0,
  });
}

function ownerOf([first]: readonly ShownPerson[], id: string): ShownPerson {
  return first ?? { username: id, subject: id, claims: {} };
}

/** By the scheme `Bearer`, the token of a client alone is that of the owner. */
function describeOwn(id: string, request: IncomingRequest, people: readonly ShownPerson[]): Members {
  return /^bot /i.test(request.header("authorization") ?? "")
    ? describeBot(id)
    : describeUser(ownerOf(people, id), []);
}

/** The id of a bot is that of its application. */
function describeBot(id: string): Members {
  const user = describeUser({ username: id, subject: id, claims: {} }, []);
  return { ...user, id: snowflakeOf(id), bot: true, verified: true, email: null };
}

/** An id at Discord has digits only. A client that is called otherwise here gets one. */
function snowflakeOf(clientId: string): string {
  return /^\d+$/.test(clientId) ? clientId : digitsFor(clientId);
}

function describeApplication({ id }: Client): Members {
  return {
    ...{ id: snowflakeOf(id), name: id, icon: null, description: "", type: null, flags: 0 },
    ...{ hook: true, bot_public: true, bot_require_code_grant: false },
    verify_key: encodeOctets(digest("sha256", id), "hex"),
  };
}

/** What the access token allows, and to which application. */
async function describeAuthorization(exchange: Exchange, services: Services): Promise<Answer> {
  const { issuer, people } = services.settings;
  const { token, client, grant } = await requireAccessToken(exchange, { audience: issuer }, services);
  const person = grant?.person ?? ownerOf(people.all, client.id);
  const user = token.scope.includes("identify") ? describeUser(person, token.scope) : undefined;
  return json({
    application: describeApplication(client),
    scopes: token.scope,
    // As in the example of the page, whose form a library for Rust requires.
    expires: new Date(token.expiresAt * 1000).toISOString().replace("Z", "000+00:00"),
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
