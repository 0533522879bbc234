/** What the API of user pools answers at Amazon Cognito: who the person of an access token is, and new tokens. */

import { textOf } from "../../../ground/http/body.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { namesOfScopes, selectClaims } from "../../../server/oauth/people/claims.ts";
import { checkToken, findToken, type LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { type LiveGrant, revokeGrant } from "../../../server/oauth/tokens/check_grant.ts";
import { authenticateClient } from "../../../server/oauth/clients/authentication/authenticate_client.ts";
import { createParams } from "../../../server/oauth/contracts/params.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { ActContext } from "../misbehaviour.ts";

const target = "AWSCognitoIdentityProviderService.";
const actions = {
  getUser: `${target}GetUser`,
  refresh: `${target}GetTokensFromRefreshToken`,
  initiate: `${target}InitiateAuth`,
  revoke: `${target}RevokeToken`,
  signOut: `${target}GlobalSignOut`,
};
const refreshFlows: readonly unknown[] = ["REFRESH_TOKEN_AUTH", "REFRESH_TOKEN"];
const scope = "aws.cognito.signin.user.admin";

/** What a login gets that names no scope: all scopes of an app client without custom ones. */
export const allScopes: readonly string[] = ["openid", "email", "phone", "profile", scope];

const refusal = refusals({
  provider_action_unknown: {
    error: "not_found",
    status: 400,
    sentence: "This look-alike does not have this action of the API of user pools",
    expected: `X-Amz-Target: ${Object.values(actions).join(" or ")}, where InitiateAuth refreshes`,
    change: "Call one of these, or answer POST at this address with as.route().",
  },
  provider_secret_hash_unread: {
    error: "invalid_request",
    sentence: "This look-alike keeps no secret of a client, so it cannot check a SECRET_HASH",
    expected: "a refresh by GetTokensFromRefreshToken with the ClientSecret, or a client without a secret",
    change: "Call GetTokensFromRefreshToken, or remove the secret from the client.",
  },
  provider_access_token_refused: {
    error: "invalid_token",
    status: 400,
    sentence: "The action needs a valid access token that the scope allows to read the person",
    expected: `a valid access token in AccessToken, with the scope ${scope}`,
    change: `Ask for the scope ${scope}, and send the access token of that login.`,
  },
});

export const refused: RefusalRows = refusal.rows;

export function answerAction(token: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, services, variable) => {
    const asked = exchange.request.header("x-amz-target") ?? "no X-Amz-Target";
    if (asked === actions.getUser) return await getUser(exchange, services);
    if (asked === actions.signOut) return await signOut(exchange, services);
    if (asked === actions.revoke) return await revokeToken(exchange, services);
    const sent = await readRefresh(asked, exchange);
    if (sent === undefined) throw refusal("provider_action_unknown", { received: asked });
    sendRefresh(sent, exchange);
    return renameTokens(await token(exchange, services, variable));
  };
}

async function getUser(exchange: Exchange, services: Services): Promise<Answer> {
  const { grant: { person } } = await requireUser(exchange, services);
  const names = namesOfScopes(["profile", "email", "phone"]).filter((name) => name !== "preferred_username");
  const attributes = { sub: person.subject, ...selectClaims(person, names) };
  return json({
    Username: person.username,
    UserAttributes: Object.entries(attributes).map(([Name, value]) => ({ Name, Value: String(value) })),
  });
}

/** Requires an access token of a login that may read the person. */
async function requireUser(
  exchange: Exchange,
  services: Services,
): Promise<LiveToken & { readonly grant: LiveGrant }> {
  const { AccessToken: text } = parseJsonObject(await exchange.body()) ?? {};
  const found = typeof text === "string" ? await findToken(text, "access_token", services) : undefined;
  const check = found?.kind === "access_token" ? await checkToken(found, services) : undefined;
  if (!check?.isValid || check.live.grant === undefined) {
    throw refusal("provider_access_token_refused", { received: "no valid access token of a login" });
  }
  const { token, client, grant } = check.live;
  exchange.note({ clientId: client.id, scope: token.scope, flow: grant.id, subject: grant.person.subject });
  if (!token.scope.includes(scope)) {
    throw refusal("provider_access_token_refused", { received: token.scope.join(" ") });
  }
  return { ...check.live, grant };
}

async function signOut(exchange: Exchange, services: Services): Promise<Answer> {
  const { grant } = await requireUser(exchange, services);
  await revokeGrant(grant.id, services);
  return json({});
}

async function revokeToken(exchange: Exchange, services: Services): Promise<Answer> {
  const { Token, ClientId, ClientSecret } = parseJsonObject(await exchange.body()) ?? {};
  const sent = { client_id: ClientId, client_secret: ClientSecret };
  const { client } = await authenticateClient(exchange, createParams(listTexts(sent)), services);
  const token = typeof Token === "string" ? await findToken(Token, "refresh_token", services) : undefined;
  if (token?.clientId === client.id && token.grantId !== undefined) {
    await revokeGrant(token.grantId, services);
  }
  return json({});
}

/** Returns the parameters of a refresh. Absent: the action is another one. */
async function readRefresh(asked: string, exchange: Exchange): Promise<Members | undefined> {
  const { RefreshToken, ClientId, ClientSecret, AuthFlow, AuthParameters } =
    parseJsonObject(await exchange.body()) ?? {};
  if (asked === actions.refresh) {
    return { refresh_token: RefreshToken, client_id: ClientId, client_secret: ClientSecret };
  }
  if (asked !== actions.initiate || !refreshFlows.includes(AuthFlow)) return undefined;
  const { REFRESH_TOKEN, SECRET_HASH } = Object(AuthParameters);
  if (SECRET_HASH !== undefined) throw refusal("provider_secret_hash_unread", { received: "a SECRET_HASH" });
  return { refresh_token: REFRESH_TOKEN, client_id: ClientId };
}

function listTexts(sent: Members): readonly Pair[] {
  return Object.entries(sent).flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : []);
}

/** Lets the token endpoint read a refresh. */
function sendRefresh(sent: Members, exchange: Exchange): void {
  const pairs: readonly Pair[] = [["grant_type", "refresh_token"], ...listTexts(sent)];
  const form = new URLSearchParams(pairs.map((each) => [...each]));
  exchange.readOtherFormBy(() => Promise.resolve(`${form}`));
}

function renameTokens({ body }: Answer): Answer {
  const { access_token, id_token, refresh_token, expires_in, token_type } = parseJsonObject(textOf(body)) ??
    {};
  return json({
    AuthenticationResult: {
      AccessToken: access_token,
      IdToken: id_token,
      RefreshToken: refresh_token,
      ExpiresIn: expires_in,
      TokenType: token_type,
    },
  });
}

const exceptions: Readonly<Record<string, string>> = {
  not_found: "UnknownOperationException",
  invalid_client: "NotAuthorizedException",
  invalid_grant: "NotAuthorizedException",
  invalid_token: "NotAuthorizedException",
};

/** Says an error of the API as its SDKs read it. */
export function describeError(answer: Answer, { exchange: { request } }: ActContext): Answer {
  if (answer.status < 400 || request.header("x-amz-target") === undefined) return answer;
  const { error, error_description: message } = parseJsonObject(textOf(answer.body)) ?? {};
  const __type = exceptions[String(error)] ?? "InvalidParameterException";
  return { ...answer, status: 400, body: JSON.stringify({ __type, message }) };
}
