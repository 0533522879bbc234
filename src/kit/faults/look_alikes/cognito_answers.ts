/** What the API of user pools answers at Amazon Cognito: who the person of an access token is. */

import { textOf } from "../../../ground/http/body.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { namesOfScopes, selectClaims } from "../../../server/oauth/people/claims.ts";
import { checkToken, findToken } from "../../../server/oauth/tokens/find_token.ts";
import type { ActContext } from "../misbehaviour.ts";

const action = "AWSCognitoIdentityProviderService.GetUser";
const scope = "aws.cognito.signin.user.admin";

/** What a login gets that names no scope: all scopes of an app client without custom ones. */
export const allScopes: readonly string[] = ["openid", "email", "phone", "profile", scope];

const refusal = refusals({
  provider_action_unknown: {
    error: "not_found",
    status: 400,
    sentence: "This look-alike has one action of the API of user pools",
    expected: `X-Amz-Target: ${action}`,
    change: "Call GetUser, or answer POST at this address with as.route().",
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

export async function getUser(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const target = exchange.request.header("x-amz-target") ?? "no X-Amz-Target";
  if (target !== action) throw refusal("provider_action_unknown", { received: target });
  const { AccessToken: text } = parseJsonObject(await exchange.body()) ?? {};
  // validate
  const found = typeof text === "string" ? await findToken(text, "access_token", services) : undefined;
  const check = found?.kind === "access_token" ? await checkToken(found, services) : undefined;
  if (!check?.isValid || check.live.grant === undefined) {
    throw refusal("provider_access_token_refused", { received: "no valid access token of a login" });
  }
  const { token, client, grant: { id, person } } = check.live;
  exchange.note({ clientId: client.id, scope: token.scope, flow: id, subject: person.subject });
  if (!token.scope.includes(scope)) {
    throw refusal("provider_access_token_refused", { received: token.scope.join(" ") });
  }
  // respond
  const names = namesOfScopes(["profile", "email", "phone"]).filter((name) => name !== "preferred_username");
  const attributes = { sub: person.subject, ...selectClaims(person, names) };
  return json({
    Username: person.username,
    UserAttributes: Object.entries(attributes).map(([Name, value]) => ({ Name, Value: String(value) })),
  });
}

const exceptions: Readonly<Record<string, string>> = {
  not_found: "UnknownOperationException",
  invalid_token: "NotAuthorizedException",
};

/** Says an error of the API as its SDKs read it. */
export function describeError(answer: Answer, { exchange: { request } }: ActContext): Answer {
  if (answer.status < 400 || request.header("x-amz-target") === undefined) return answer;
  const { error, error_description: message } = parseJsonObject(textOf(answer.body)) ?? {};
  const __type = exceptions[String(error)] ?? "InvalidParameterException";
  return { ...answer, body: JSON.stringify({ __type, message }) };
}
