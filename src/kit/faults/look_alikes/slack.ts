/** Slack, as `oauth.v2.access` answers apps. */

import type { Answer } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import { changeTokens } from "../changes.ts";
import type { ActContext, Tools } from "../misbehaviour.ts";
import {
  alsoGet,
  changeTokenErrors,
  forgoesPkce,
  hasCode,
  parametersInQuery,
  presumesCode,
  presumesRedirectUri,
  reportSuccessfully,
  secretEitherWay,
  sendsNoIss,
  separatesScopeByCommas,
  splitsScopeAtCommas,
} from "./differences.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { endToken, type LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import { type Acceptance, type LookAlike, pagesOf, type Source } from "./look_alike.ts";

const page = pagesOf("https://docs.slack.dev/");
const method = page("oauth.v2.access method", "reference/methods/oauth.v2.access");
const installing = page("Installing with OAuth", "authentication/installing-with-oauth");
const rotation = page("Using token rotation", "authentication/using-token-rotation");
const legacy = page("oauth.access method", "reference/methods/oauth.access");
const methods = page("Using the Slack Web API", "apis/web-api");
const webApi = page("Using the Web API", "tools/java-slack-sdk/guides/web-api-basics");

export const slack: LookAlike = {
  addresses: (host) => ({
    issuer: `https://${host}`,
    endpoints: [
      { url: `https://${host}/oauth/v2/authorize`, is: "authorize", source: installing },
      {
        url: `https://${host}/api/oauth.v2.access`,
        is: "token",
        source: method,
        accepts: [alsoGet(methods), parametersInQuery(methods)],
      },
      { url: `https://${host}/oauth/authorize`, is: "authorize", source: legacy },
      {
        url: `https://${host}/api/oauth.access`,
        is: "token",
        source: legacy,
        accepts: [alsoGet(methods), parametersInQuery(methods)],
      },
      ...(["GET", "POST"] as const).flatMap((method) =>
        slackMethods.map(([name, is, describe]) => ({
          ...{ url: `https://${host}/api/${name}`, method, is, answer: answerMethod(describe) },
          ...{ source: page(`${name} method`, `reference/methods/${name}`), accepts: [tokenParameter] },
        }))
      ),
    ],
  }),
  lax: [
    forgoesPkce(installing),
    secretEitherWay(method),
    presumesRedirectUri(installing),
    presumesCode(method),
    splitsScopeAtCommas(installing),
  ],
  differences: [
    sendsNoIss(installing),
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
      acts: changeTokens(describeInstallation),
    },
    ...slackErrors(method),
  ],
  leftOut: [
    "The other methods of the Web API, and the scopes that a method needs. Sign in with Slack is the look-alike `slack_openid`.",
    "The parameter `user_scope`, and the second token that it asks for.",
    "That auth.test names the bot for the token of a bot. Here it names the person who has installed the app.",
  ],
};

const tokenParameter: Acceptance = {
  server: "The token may be the parameter `token` of the form or the query.",
  source: webApi,
  token: "query",
  pairs: (sent) => sent.map(([name, value]) => [name === "token" ? "access_token" : name, value]),
};

type DescribeSlack = (token: LiveToken) => Members;

const slackMethods: readonly (readonly [string, "userinfo" | "revoke", DescribeSlack])[] = [
  ["auth.test", "userinfo", ({ grant, client }) => ({
    url: "https://postern.slack.com/",
    team: slackTeam.name,
    user: grant?.person.username ?? client.id,
    team_id: slackTeam.id,
    user_id: grant?.person.subject ?? client.id,
    is_enterprise_install: false,
  })],
  ["users.identity", "userinfo", ({ grant }) => ({ user: describeSlackUser(grant), team: slackTeam })],
  ["users.info", "userinfo", ({ grant }) => ({
    user: { ...describeSlackUser(grant), team_id: slackTeam.id, profile: describeSlackUser(grant) },
  })],
  ["auth.revoke", "revoke", () => ({ revoked: true })],
];

function describeSlackUser(grant: LiveToken["grant"]): Members {
  const { subject, username, claims } = grant?.person ?? {};
  const { name = username, email, picture } = claims ?? {};
  return present({ id: subject, name, real_name: name, email, image_192: picture });
}

function answerMethod(describe: DescribeSlack) {
  return async (exchange: Exchange, services: Services): Promise<Answer> => {
    const live = await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
    const members = describe(live);
    if (members["revoked"] === true) await endToken(live.token, services);
    return json({ ok: true, ...members });
  };
}

function nameTokenError({ exchange: { facts } }: ActContext): string {
  return facts.refusal?.reason === "token_missing" ? "not_authed" : "invalid_auth";
}

/** `source` is the page of the method that has these errors. */
export function slackErrors(source: Source): LookAlike["differences"] {
  return [
    {
      server:
        "The token endpoint has error codes of its own: invalid_code, invalid_client_id, bad_client_secret, " +
        "bad_redirect_uri and invalid_grant_type.",
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
        "The other methods report errors in the same way: invalid_auth for a wrong token, not_authed without one.",
      source: webApi,
      acts: () => ({
        response: (answer, at) =>
          ["userinfo", "revoke"].includes(at.endpoint) && answer.status >= 400
            ? reportSuccessfully({ ok: false, error: nameTokenError(at) }, answer)
            : answer,
      }),
    },
  ];
}

export const slackTeam = { id: "T0POSTERN", name: "Postern" } as const;

function describeInstallation(members: Members, _tools: Tools, { grant }: ActContext): Members {
  return {
    ok: true,
    ...without(members, "id_token"),
    token_type: "bot",
    app_id: "A0POSTERN",
    bot_user_id: "U0POSTERN",
    team: slackTeam,
    enterprise: null,
    is_enterprise_install: false,
    ...present({ authed_user: grant && { id: grant.subject } }),
  };
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
      if (!hasCode(at)) return error;
      return reason === "redirect_uri_differs" ? "bad_redirect_uri" : "invalid_code";
    case "unsupported_grant_type":
      return "invalid_grant_type";
    default:
      return error;
  }
}
