/** Slack, as `oauth.v2.access` answers apps. */

import type { Answer } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { changeText, changeTokens } from "../changes.ts";
import type { ActContext, Acts } from "../misbehaviour.ts";
import {
  alsoGet,
  changeTokenErrors,
  forgoesPkce,
  hasCode,
  json as readsJson,
  multipart,
  namesScopes,
  parametersInQuery,
  presumesCode,
  presumesRedirectUri,
  refusesUnknown,
  reportSuccessfully,
  sameSecretTwice,
  secretEitherWay,
  sendsNoIss,
  sentIn,
  separatesScopeByCommas,
  splitScope,
  splitsScopeAtCommas,
  tokenRepeated,
} from "./differences.ts";
import {
  describeBot,
  describeIdentity,
  describeMember,
  describeTeam,
  slackAppId,
  slackBot,
  slackBotId,
  slackIdOf,
  slackTeam,
  slackWorkspace,
} from "./slack_people.ts";
import { issuesTokens, listAppMethods, rotationLax } from "./slack_app.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { endToken, type LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { readParams } from "../../../server/oauth/contracts/params.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import {
  type Acceptance,
  type Laxness,
  type LookAlike,
  pagesOf,
  type ProviderEndpoint,
  type ShownPerson,
  type Source,
} from "./look_alike.ts";

const page = pagesOf("https://docs.slack.dev/");
const method = page("oauth.v2.access method", "reference/methods/oauth.v2.access");
const userMethod = page("oauth.v2.user.access method", "reference/methods/oauth.v2.user.access");
const installing = page("Installing with OAuth", "authentication/installing-with-oauth");
const rotation = page("Using token rotation", "authentication/using-token-rotation");
const legacy = page("oauth.access method", "reference/methods/oauth.access");
const methods = page("Using the Slack Web API", "apis/web-api");
const webApi = page("Using the Web API", "tools/java-slack-sdk/guides/web-api-basics");
const grant = page(
  "grant, which asks who the person is so",
  "https://github.com/simov/grant/blob/master/config/profile.json",
);
const slackclient = page(
  "slackclient, the library of Slack, which has this host built in",
  "https://github.com/slackapi/python-slack-sdk/blob/v2.9.4/slack/web/base_client.py",
);

const userObject = page("User object", "https://api.slack.com/types/user");
const slackChat = page("slack-chat-api, which redeems a code so", "https://docs.rs/slack-chat-api/0.7.0/");

/** What the tokens of Slack begin with. */
export const slackTokens: Laxness = {
  server: "The token of a bot begins with `xoxb-`, and that of a person with `xoxp-`. The rest is opaque.",
  source: page("Tokens", "authentication/tokens"),
  sets: { accessTokens: "opaque", ownTokenOf: (text) => text.replace(/^xoxe\.xox[bp]-1-|^xox[bp]-/, "") },
};

export const slack: LookAlike = {
  addresses: (host) => ({
    issuer: `https://${host}`,
    // auth.test names the address of the workspace, and programs go on there.
    aliases: { [`https://www.${host}`]: `https://${host}`, [slackWorkspace]: `https://${host}` },
    endpoints: [
      { url: `https://${host}/oauth/v2/authorize`, is: "authorize", source: installing },
      {
        url: `https://${host}/api/oauth.v2.access`,
        is: "token",
        source: method,
        accepts: [alsoGet(methods), parametersInQuery(methods), multipart(installing), readsJson(method)],
        wraps: issuesTokens(describeApp),
      },
      ...listAppMethods(host, describeApp),
      { url: `https://${host}/oauth/v2_user/authorize`, is: "authorize", source: installing },
      {
        url: `https://${host}${userPath}`,
        is: "token",
        source: userMethod,
        accepts: [alsoGet(methods), parametersInQuery(methods)],
      },
      { url: `https://${host}/oauth/authorize`, is: "authorize", source: legacy },
      {
        url: `https://${host}/api/oauth.access`,
        is: "token",
        source: legacy,
        accepts: [alsoGet(methods), parametersInQuery(methods)],
      },
      ...slackMethods.flatMap((method) => placeSlackMethod(host, method)),
    ],
  }),
  lax: [
    forgoesPkce(installing),
    secretEitherWay(method),
    sameSecretTwice(slackChat),
    presumesRedirectUri(installing),
    presumesCode(method),
    splitsScopeAtCommas(installing),
    {
      server:
        "The host of a method, but not that of a page, may be `www.slack.com`, or that of the workspace.",
      source: slackclient,
    },
    {
      server: "An authorization request may ask for scopes in user_scope.",
      source: installing,
      reads: [{ at: "authorize", pairs: readUserScope }],
    },
    ...rotationLax,
    slackTokens,
  ],
  differences: [
    sendsNoIss(installing),
    {
      server: "The id of a person is `U` and ten capital letters and digits, which stay the same.",
      source: userObject,
    },
    {
      server: "The email of a person is there with the scope users:read.email.",
      source: userObject,
    },
    {
      server:
        "A method that needs a scope which the token lacks answers missing_scope, with `needed` and `provided`.",
      source: methods,
    },
    {
      server: "Without token rotation, tokens do not expire, and the token response has no expires_in.",
      source: rotation,
      same: "token_response.expires_in_missing",
    },
    {
      server: "Without token rotation, the token response has no refresh token.",
      source: rotation,
      same: "token_response.refresh_token_missing",
    },
    separatesScopeByCommas(method),
    {
      server:
        "The token response has the token_type `bot`, and no ID token. Its members `ok`, app_id, bot_user_id, team, " +
        "enterprise and authed_user say who has installed the app.",
      source: method,
    },
    {
      server:
        "If the request for authorization has user_scope, authed_user has a token for these scopes, too: access_token, `scope` " +
        "and token_type with `user`. Without another scope, there is no token for a bot.",
      source: installing,
      acts: describeInstallations,
    },
    {
      server:
        "The token response of the older method also has user_id, team_id, team_name and enterprise_id, and no token_type. " +
        "With the scope `bot`, it has `bot` with bot_user_id and bot_access_token, which is the same token.",
      source: legacy,
      acts: changeTokens((members, _tools, { exchange: { request: { address } }, grant }) =>
        address.path === "/api/oauth.access" && grant !== undefined
          ? {
            ...without(ofPerson(members), "token_type"),
            ...{
              user_id: slackIdOf(grant.subject),
              team_id: slackTeam.id,
              team_name: slackTeam.name,
              enterprise_id: null,
            },
            ...present({
              bot: grant.scope.includes("bot") ? describeBotToken(ofPerson(members)) : undefined,
            }),
          }
          : members
      ),
    },
    {
      server:
        "The token response of oauth.v2.user.access has the token of the person: access_token, token_type with `user`, " +
        "authed_user with `id` and `scope`, and team with `id`.",
      source: userMethod,
    },
    ...slackErrors(method),
  ],
  leftOut: [
    "The other methods of the Web API. Sign in with Slack is the look-alike `slack_openid`.",
    "Token rotation of oauth.v2.user.access.",
    "Lists are empty, and no socket opens: apps.connections.open and the RTM are not there.",
  ],
};

function ofPerson(members: Members): Members {
  return changeText(members, "access_token", (text) => `xoxp-${text}`);
}

const userPath = "/api/oauth.v2.user.access";

export const tokenParameter: Acceptance = {
  server: "The token may be the parameter `token` of the form or the query.",
  source: webApi,
  token: "query",
  pairs: (sent) => sent.map(([name, value]) => [name === "token" ? "access_token" : name, value]),
};

type DescribeSlack = (
  token: LiveToken,
  asked: URLSearchParams,
  people: readonly ShownPerson[],
) => Members;

type SlackMethod = readonly [
  name: string,
  is: "userinfo" | "revoke",
  describe: DescribeSlack,
  /** The scopes of which the token must have one. Absent: none. */
  scopes?: readonly string[],
];

/** With the parameter `test`, the token stays. */
export const slackRevocation: SlackMethod = ["auth.revoke", "revoke", (_token, asked) => ({
  revoked: !/^(?:1|true)$/.test(asked.get("test") ?? ""),
})];

export const slackTest: SlackMethod = ["auth.test", "userinfo", ({ grant, client, token }) => {
  const isBot = token.claims["bot"] === true;
  const { username = client.id, subject = client.id } = isBot ? slackBot : grant?.person ?? {};
  return {
    ...{ url: `${slackWorkspace}/`, team: slackTeam.name, user: username, team_id: slackTeam.id },
    ...{ user_id: slackIdOf(subject), is_enterprise_install: false },
    ...present({ bot_id: isBot ? slackBotId : undefined }),
  };
}];

/** What there is nothing of: the method, and the member that is empty. */
const emptyLists = [
  ["conversations.list", "channels", ["channels:read", "groups:read", "im:read", "mpim:read"]],
  ["users.conversations", "channels", ["channels:read", "groups:read", "im:read", "mpim:read"]],
  ["usergroups.list", "usergroups", ["usergroups:read"]],
] as const;

const readsUsers = ["users:read"];

const slackMethods: readonly SlackMethod[] = [
  slackTest,
  [
    "users.identity",
    "userinfo",
    ({ grant, token }) => grant === undefined ? noPerson : describeIdentity(grant.person, token.scope),
    ["identity.basic"],
  ],
  ["users.info", "userinfo", (...asked) => findUser(asked, (user) => ({ user })), readsUsers],
  [
    "users.profile.get",
    "userinfo",
    (...asked) => findUser(asked, ({ profile }) => ({ profile })),
    ["users.profile:read"],
  ],
  ["users.lookupByEmail", "userinfo", ({ token }, asked, people) => {
    const person = people.find(({ claims: { email } }) => email === asked.get("email"));
    return person === undefined
      ? { ok: false, error: "users_not_found" }
      : { user: describeMember(person, token.scope) };
  }, ["users:read.email"]],
  [
    "users.list",
    "userinfo",
    ({ token }, _asked, people) => ({
      members: people.map((each) => describeMember(each, token.scope)),
      cache_ts: 1_577_836_800,
      ...lastPage,
    }),
    readsUsers,
  ],
  [
    "bots.info",
    "userinfo",
    (_token, asked) =>
      asked.get("bot") === slackBotId ? { bot: describeBot() } : { ok: false, error: "bot_not_found" },
    readsUsers,
  ],
  ["team.info", "userinfo", () => ({ team: describeTeam() }), ["team:read"]],
  ["auth.teams.list", "userinfo", () => ({ teams: [describeTeam()], ...lastPage })],
  ...emptyLists.map(([name, list, scopes]): SlackMethod => [
    ...[name, "userinfo", () => ({ [list]: [], ...lastPage }), scopes] as const,
  ]),
  slackRevocation,
];

const lastPage = { response_metadata: { next_cursor: "" } };

const noPerson = { ok: false, error: "user_not_found" };

/** Finds the person that the parameter `user` names, or that of the token. */
function findUser(
  [{ grant, token }, asked, people]: Parameters<DescribeSlack>,
  describe: (user: Members) => Members,
): Members {
  const id = asked.get("user") ?? slackIdOf(grant?.person.subject ?? "");
  const person = [...people, slackBot].find(({ subject }) => slackIdOf(subject) === id);
  return person === undefined ? noPerson : describe(describeMember(person, token.scope));
}

/** Returns the endpoints of a method of the Web API. */
export function placeSlackMethod(
  host: string,
  [name, is, describe, scopes]: SlackMethod,
): readonly ProviderEndpoint[] {
  return (["GET", "POST"] as const).map((method) => ({
    ...{ url: `https://${host}/api/${name}`, method, is, answer: answerMethod(describe, scopes) },
    ...{
      source: page(`${name} method`, `reference/methods/${name}`),
      accepts: [tokenRepeated("token", grant), tokenParameter, parametersInQuery(methods)],
    },
  }));
}

/** Classic apps may read with the scope `bot`. */
function answerMethod(describe: DescribeSlack, scopes: readonly string[] = []) {
  return async (exchange: Exchange, services: Services): Promise<Answer> => {
    const { issuer, people } = services.settings;
    const live = await requireAccessToken(exchange, { audience: issuer }, services);
    const { request } = exchange;
    const form = readParams(request.header("content-type"), await exchange.body());
    const asked = new URLSearchParams(`${request.address.query}&${form}`);
    const { scope } = live.token;
    const isAllowed = scopes.length === 0 || [...scopes, "bot"].some((each) => scope.includes(each));
    const members = isAllowed ? describe(live, asked, people.all) : {
      ...{ ok: false, error: "missing_scope" },
      ...{ needed: scopes.join(","), provided: scope.join(",") },
    };
    if (members["revoked"] === true) await endToken(live.token, services);
    return json({ ok: true, ...members });
  };
}

const tokenErrors: Readonly<Record<string, string>> = {
  token_missing: "not_authed",
  token_ended: "token_revoked",
  token_expired: "token_expired",
};

function nameTokenError({ exchange: { facts } }: ActContext): string {
  return tokenErrors[facts.refusal?.reason ?? ""] ?? "invalid_auth";
}

/** `source` is the page of the method that has these errors. */
export function slackErrors(source: Source): LookAlike["differences"] {
  return [
    {
      server:
        "The token endpoint has error codes of its own: invalid_code, invalid_client_id, bad_client_secret, " +
        "bad_redirect_uri, invalid_grant_type, invalid_refresh_token and invalid_arguments.",
      source,
      acts: changeTokenErrors(renameError),
    },
    {
      server: "The token endpoint reports errors in a successful response, with `ok: false`.",
      source: webApi,
      acts: changeTokenErrors(({ error }, _at, answer) => reportSuccessfully({ ok: false, error }, answer)),
    },
    {
      server:
        "The other methods report errors in the same way: invalid_auth for a wrong token, token_revoked and token_expired for " +
        "one that has ended, not_authed without one.",
      source: page("auth.test method, Errors", "reference/methods/auth.test#errors"),
      acts: () => ({
        response: (answer, at) =>
          ["userinfo", "revoke"].includes(at.endpoint) && answer.status >= 400
            ? reportSuccessfully({ ok: false, error: nameTokenError(at) }, answer)
            : answer,
      }),
    },
    {
      server: "A method names the scopes of the token in the header `X-OAuth-Scopes`.",
      source: page(
        "Bolt for Python, which reads them there",
        "https://github.com/slackapi/bolt-python/blob/main/slack_bolt/authorization/authorize_result.py",
      ),
      acts: namesScopes(","),
    },
    refusesUnknown(webApi, /^https:\/\/[^/]+\/api\//, () => ({ ok: false, error: "unknown_method" }), 200),
  ];
}

function readUserScope(sent: readonly Pair[]): readonly Pair[] {
  const asked = sent.filter(([name, value]) => /^(?:user_)?scope$/.test(name) && value !== "");
  if (!asked.some(([name]) => name === "user_scope")) return sent;
  const names = asked.flatMap(([, value]) => splitScope(value));
  const others = sent.filter(([name]) => name !== "scope" && name !== "user_scope");
  return [...others, ["scope", [...new Set(names)].join(" ")]];
}

function describeBotToken({ access_token }: Members): Members {
  return { bot_user_id: slackBot.subject, bot_access_token: access_token };
}

interface AskedScopes {
  readonly bot: readonly string[];
  readonly user: readonly string[];
}

// Requests that never lead to a token are forgotten after this many newer ones.
const mostRequests = 1000;

function describeInstallations(): Acts {
  /** The scopes of the requests that have a user_scope, by their flow. */
  const requests = new Map<string, AskedScopes>();

  function keepRequest({ exchange: { facts: { flow }, request } }: ActContext): void {
    const params = new URLSearchParams(request.address.query);
    const user = splitScope(params.get("user_scope"));
    if (flow === undefined || user.length === 0) return;
    requests.set(flow, { user, bot: splitScope(params.get("scope")) });
    if (requests.size > mostRequests) requests.delete(requests.keys().next().value!);
  }

  return {
    response(answer, at) {
      if (at.endpoint === "authorize") keepRequest(at);
      return answer;
    },
    token_response({ members, ...value }, { exchange: { facts: { flow = "" }, request }, grant }) {
      const userId = grant && slackIdOf(grant.subject);
      return {
        ...value,
        members: request.address.path === userPath
          ? describeUserToken(ofPerson(members), userId)
          : describeInstallation(members, userId, requests.get(flow)),
      };
    },
  };
}

function describeUserToken({ access_token, scope }: Members, id: string | undefined): Members {
  const answer = { ok: true, access_token, token_type: "user", team: { id: slackTeam.id } };
  return { ...answer, authed_user: present({ id, scope }) };
}

function describeInstallation(
  members: Members,
  userId: string | undefined,
  { bot, user }: Partial<AskedScopes> = {},
): Members {
  const { id_token: _, access_token, scope, ...others } = members;
  const granted = splitScope(scope);
  const select = (names: readonly string[]) => granted.filter((name) => names.includes(name)).join(",");
  const ofBot = { ...describeApp("bot"), access_token, scope: bot === undefined ? scope : select(bot) };
  const ofUser = user && { access_token, token_type: "user", scope: select(user) };
  return {
    ok: true,
    ...without(others, "token_type"),
    ...installed,
    ...(bot?.length === 0 ? {} : ofBot),
    ...present({ authed_user: userId === undefined ? undefined : { id: userId, ...ofUser } }),
  };
}

const installed = {
  app_id: slackAppId,
  team: { id: slackTeam.id, name: slackTeam.name },
  enterprise: null,
  is_enterprise_install: false,
};

function describeApp(kind: "bot" | "user"): Members {
  const ofBot = kind === "bot" ? { bot_user_id: slackBot.subject } : {};
  return { ok: true, token_type: kind, ...ofBot, ...installed };
}

function renameError({ error }: Members, at: ActContext, answer: Answer): Answer {
  return { ...answer, body: JSON.stringify({ error: nameError(error, at) }) };
}

function nameError(error: unknown, at: ActContext): unknown {
  const { reason } = at.exchange.facts.refusal ?? {};
  switch (error) {
    case "invalid_client":
      return reason === "client_unknown" ? "invalid_client_id" : "bad_client_secret";
    case "invalid_grant":
      if (!hasCode(at)) return "invalid_refresh_token";
      return reason === "redirect_uri_differs" ? "bad_redirect_uri" : "invalid_code";
    case "unsupported_grant_type":
      return "invalid_grant_type";
    case "invalid_request":
      if (reason === "client_id_missing") return "invalid_client_id";
      return hasCode(at) || sentIn(at).get("grant_type") === "refresh_token"
        ? "invalid_arguments"
        : "invalid_code";
    default:
      return error;
  }
}
