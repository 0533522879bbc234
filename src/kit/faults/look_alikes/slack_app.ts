/** What Slack answers an app about its tokens: one for the bot and one for the person, which an app with token rotation renews. */

import { parseAuthorization } from "../../../ground/http/authorization.ts";
import { textOf } from "../../../ground/http/body.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { authenticateClient } from "../../../server/oauth/clients/authentication/authenticate_client.ts";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import {
  type Params,
  readForm,
  requireParam,
  requireUnrepeatedForm,
} from "../../../server/oauth/contracts/params.ts";
import type { Person } from "../../../server/oauth/contracts/people.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { bearer } from "../../../server/oauth/contracts/sender.ts";
import { createAccessToken } from "../../../server/oauth/tokens/access_token.ts";
import { checkActiveGrant, redeemGrant } from "../../../server/oauth/tokens/check_grant.ts";
import { checkToken, findLive, findToken, replaceToken } from "../../../server/oauth/tokens/find_token.ts";
import { redeemForPerson } from "../../../server/oauth/tokens/issue_directly.ts";
import { commitChange, prepareTokens } from "../../../server/oauth/tokens/prepare_tokens.ts";
import { parametersInQuery, splitScope } from "./differences.ts";
import { type Laxness, pagesOf, type ProviderEndpoint } from "./look_alike.ts";

const refusal = refusals({
  provider_rotation_off: {
    error: { code: "token_rotation_not_enabled", status: 400 },
    sentence: "The app does not have token rotation enabled",
    expected: "a client with rotate_refresh_tokens: true",
    change:
      "Configure rotate_refresh_tokens: true for the client, in place of token_rotation_enabled at Slack.",
  },
  provider_token_not_legacy: {
    error: { code: "invalid_token", status: 400 },
    sentence: "The token cannot be exchanged for a new pair",
    expected: "an access token of a login of this app that does not expire at Slack",
    change: "Exchange the token from before the token rotation, as it was issued.",
  },
  provider_token_exchanged: {
    error: { code: "token_already_exchanged", status: 400 },
    sentence: "The token was exchanged before, or has ended",
    change: "Use the tokens that the exchange has given.",
  },
  provider_refresh_invalid: {
    error: { code: "invalid_refresh_token", status: 400 },
    sentence: "The refresh token is not valid",
    expected: "the refresh token of the latest response to this app",
    change: "Use each refresh token once, and keep the next one.",
  },
});

export const refused: RefusalRows = refusal.rows;

type Kind = "bot" | "user";
type Redemption = ReturnType<typeof redeemGrant>;
type DescribeApp = (kind: Kind) => Members;

const twelveHours = 12 * 60 * 60;

function rotates({ members }: Client): boolean {
  return members["rotate_refresh_tokens"] === true;
}

/** Gives the bot and the person a token each. With token rotation, both expire, and the app refreshes them. */
export function issuesTokens(describeApp: DescribeApp) {
  return (usual: Endpoint["handle"]): Endpoint["handle"] => async (exchange, services, variable) => {
    const form = await readForm(exchange);
    if (form.get("grant_type") === "refresh_token") {
      return json(await refresh(form, describeApp, exchange, services));
    }
    const answer = await usual(exchange, services, variable);
    const members = parseJsonObject(textOf(answer.body));
    const check = await checkActiveGrant(exchange.facts.flow ?? "", services);
    if (!check.isValid || members?.["ok"] !== true) return answer;
    const { id, entry, client, person } = check.live;
    const user = members["authed_user"] as Members;
    const isBot = members["token_type"] === "bot";
    const redeem = (scope: unknown) =>
      redeemGrant(id, entry, { scope: splitScope(scope), resource: [] }, services);
    const ofBot = isBot ? await issue("bot", redeem(members["scope"]), client, exchange, services) : {};
    if (user["access_token"] === undefined) return json({ ...members, ...ofBot });
    // The tokens of the bot and those of the person are refreshed apart.
    const redemption = isBot && rotates(client)
      ? await redeemAnew(person, splitScope(user["scope"]), client, services)
      : redeem(user["scope"]);
    const ofUser = await issue("user", redemption, client, exchange, services);
    return json({ ...members, ...ofBot, authed_user: { ...user, ...ofUser } });
  };
}

/** Exchanges an access token from before the token rotation, once. */
function exchangesToken(describeApp: DescribeApp): Endpoint["handle"] {
  return async (exchange, services) => {
    // parse
    const form = await readForm(exchange);
    requireUnrepeatedForm(form);
    // identify
    const { client } = await authenticateClient(exchange, form, services);
    // validate
    if (!rotates(client)) throw refusal("provider_rotation_off");
    // The libraries of Slack put it into the header.
    const { text = requireParam(form, "token") } =
      parseAuthorization(exchange.request.header("authorization") ?? "", ["Bearer"]) ?? {};
    const token = text.startsWith("xoxe.") ? undefined : await findToken(text, "access_token", services);
    if (token?.kind !== "access_token" || token.clientId !== client.id) {
      throw refusal("provider_token_not_legacy");
    }
    const check = await checkToken(token, services);
    if (!check.isValid || check.live.grant === undefined) throw refusal("provider_token_exchanged");
    const { person } = check.live.grant;
    exchange.note({ subject: person.subject });
    // act
    if (!await replaceToken(token, services)) throw refusal("provider_token_exchanged");
    const kind = token.claims["bot"] === true ? "bot" : "user";
    const redemption = await redeemAnew(person, token.scope, client, services);
    const tokens = await issue(kind, redemption, client, exchange, services);
    // respond
    return json({ ...describeApp(kind), scope: token.scope.join(","), ...tokens });
  };
}

async function refresh(
  form: Params,
  describeApp: DescribeApp,
  exchange: Exchange,
  services: Services,
): Promise<Members> {
  // parse
  requireUnrepeatedForm(form);
  const [, letter, text = ""] = /^xoxe-1-([bp])-(.+)$/.exec(requireParam(form, "refresh_token")) ?? [];
  // identify
  const { client } = await authenticateClient(exchange, form, services);
  // validate
  const live = await findLive(text, "refresh_token", services);
  if (live?.token.clientId !== client.id) throw refusal("provider_refresh_invalid");
  const { id, entry, person } = live.grant!;
  exchange.note({ flow: id, subject: person.subject });
  // act
  const kind = letter === "b" ? "bot" : "user";
  const { scope } = live.token;
  const redemption = redeemGrant(id, entry, { scope, resource: [] }, services);
  const tokens = await issue(kind, redemption, client, exchange, services);
  return { ...describeApp(kind), scope: scope.join(","), ...tokens };
}

function redeemAnew(person: Person, scope: readonly string[], client: Client, services: Services) {
  return redeemForPerson({ person, access: { scope, resource: [] }, nonce: undefined }, client, services);
}

async function issue(
  kind: Kind,
  // The tokens outlive the sign-in.
  { grant: { session: _session, ...grant }, scope, ...proposed }: Redemption,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<Members> {
  const redemption = {
    ...proposed,
    scope,
    grant: { ...grant, scope },
    claims: kind === "bot" ? { bot: true } : {},
  };
  const letter = kind === "bot" ? "b" : "p";
  if (!rotates(client)) {
    const { text } = await createAccessToken(redemption, client, exchange, services);
    return { access_token: `xox${letter}-${text}` };
  }
  const lifetimes = { ...services.settings.lifetimes, accessToken: twelveHours };
  const rotating = { ...services, settings: { ...services.settings, lifetimes } };
  const tokens = await prepareTokens({ redemption, client, sender: bearer, exchange }, rotating);
  // Another request has used the same refresh token.
  if (!await commitChange(tokens, services)) throw refusal("provider_refresh_invalid");
  const { access_token, expires_in, refresh_token } = tokens.members;
  return {
    access_token: `xoxe.xox${letter}-1-${access_token}`,
    expires_in,
    refresh_token: `xoxe-1-${letter}-${refresh_token}`,
  };
}

const page = pagesOf("https://docs.slack.dev/");
const rotation = page("Using token rotation", "authentication/using-token-rotation");
const exchanging = page("oauth.v2.exchange method", "reference/methods/oauth.v2.exchange");
const methods = page("Using the Slack Web API", "apis/web-api");
const library = page(
  "slack_sdk, the library of Slack, which exchanges a token so",
  "https://github.com/slackapi/python-slack-sdk/blob/main/slack_sdk/web/client.py",
);

/** Repeats what it is sent, also without a token. */
async function answerTest(exchange: Exchange): Promise<Answer> {
  const { request: { address } } = exchange;
  const args = Object.fromEntries(new URLSearchParams(`${address.query}&${await exchange.body()}`));
  const { error } = args;
  return json({ ok: error === undefined, ...present({ error }), args });
}

export function listAppMethods(host: string, describeApp: DescribeApp): readonly ProviderEndpoint[] {
  return (["GET", "POST"] as const).flatMap((method) => [
    {
      ...{ url: `https://${host}/api/oauth.v2.exchange`, method, is: "token", source: exchanging },
      ...{ accepts: [parametersInQuery(methods)], answer: exchangesToken(describeApp) },
    },
    {
      ...{ url: `https://${host}/api/api.test`, method, is: "userinfo", answer: answerTest },
      source: page("api.test method", "reference/methods/api.test"),
    },
  ]);
}

export const rotationLax: readonly Laxness[] = [
  {
    server:
      "A request that names its client may have a Bearer token, such as the one that oauth.v2.exchange exchanges.",
    source: library,
    sets: { ignoresBearer: "client_id" },
  },
  {
    server:
      "With token rotation, which a client with `rotate_refresh_tokens: true` has, access tokens begin with `xoxe.xoxb-1-` or " +
      "`xoxe.xoxp-1-` and expire after 43200 seconds, and refresh tokens begin with `xoxe-1-` and are used once. " +
      "oauth.v2.exchange gives both for a token from before. In a browser, there is no token rotation.",
    source: rotation,
  },
];
