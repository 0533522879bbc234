/** What the API of user pools answers at Amazon Cognito: who the person of an access token is, and new tokens. */

import { hmacOctets, sameDigest } from "../../../ground/crypto/platform.ts";
import { encodeOctets } from "../../../ground/values/octets.ts";
import { textOf } from "../../../ground/http/body.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { answerHeaders, json } from "../../../ground/http/respond.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { namesOfScopes, selectClaims } from "../../../server/oauth/people/claims.ts";
import { findToken, type LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { type LiveGrant, revokeGrant } from "../../../server/oauth/tokens/check_grant.ts";
import { authenticateClient } from "../../../server/oauth/clients/authentication/authenticate_client.ts";
import { createParams } from "../../../server/oauth/contracts/params.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import { answerDirectly, redeemForPerson } from "../../../server/oauth/tokens/issue_directly.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { ActContext } from "../misbehaviour.ts";
import { checkLasting } from "./differences.ts";
import { requireTypedPerson } from "./password_grant.ts";

const target = "AWSCognitoIdentityProviderService.";
const actions = {
  getUser: `${target}GetUser`,
  refresh: `${target}GetTokensFromRefreshToken`,
  initiate: `${target}InitiateAuth`,
  respond: `${target}RespondToAuthChallenge`,
  revoke: `${target}RevokeToken`,
  signOut: `${target}GlobalSignOut`,
};
/** What programs with an account of AWS call instead, and the flow that these name otherwise. */
const adminActions: Readonly<Record<string, string>> = {
  [`${target}AdminInitiateAuth`]: actions.initiate,
  [`${target}AdminRespondToAuthChallenge`]: actions.respond,
};
const adminFlows: readonly unknown[] = ["ADMIN_USER_PASSWORD_AUTH", "ADMIN_NO_SRP_AUTH"];
const refreshFlows: readonly unknown[] = ["REFRESH_TOKEN_AUTH", "REFRESH_TOKEN"];
const passwordFlow = "USER_PASSWORD_AUTH";
const srpFlow = "USER_SRP_AUTH";
const srpChallenge = "PASSWORD_VERIFIER";
const scope = "aws.cognito.signin.user.admin";

/** What a login gets that names no scope: all scopes of an app client without custom ones. */
export const allScopes: readonly string[] = ["openid", "email", "phone", "profile", scope];

const refusal = refusals({
  provider_action_unknown: {
    error: "not_found",
    status: 400,
    sentence: "This look-alike does not have this action of the API of user pools",
    expected: `X-Amz-Target: ${
      [...Object.values(actions), ...Object.keys(adminActions)].join(" or ")
    }, where InitiateAuth refreshes or has the AuthFlow ${passwordFlow} or ${srpFlow}`,
    change: "Call one of these, or answer POST at this address with as.route().",
  },
  provider_pool_client_unknown: {
    error: "not_found",
    status: 400,
    sentence: "User pool client {id} does not exist",
    expected: "the ClientId of a client that is configured, or known from a login",
    change: "Configure the client.",
  },
  provider_pool_unknown: {
    error: "not_found",
    status: 400,
    sentence: "User pool {id} does not exist",
    expected: "the last part of the issuer in UserPoolId",
    change: "Name the user pool of the metadata.",
  },
  provider_secret_hash_missing: {
    error: "invalid_client",
    sentence: "Client {id} is configured with secret but SECRET_HASH was not received",
    expected:
      "SECRET_HASH: base64 of the HMAC-SHA256 of the username and the ClientId, with the secret as key",
    change: "Send SECRET_HASH, or remove the secret from the client.",
  },
  provider_secret_hash_wrong: {
    error: "invalid_client",
    sentence: "Unable to verify secret hash for client {id}",
    expected:
      "base64 of the HMAC-SHA256 of the username and the ClientId, with a secret of the configuration as key",
    change: "Compute SECRET_HASH of the username that the login gives, and the secret of the configuration.",
  },
  provider_srp_malformed: {
    error: "invalid_request",
    sentence: "SRP_A must be a number in hexadecimal digits that is not 0",
    change: "Let a library of Cognito begin the login.",
  },
  provider_srp_unchecked: {
    error: "invalid_grant",
    sentence: `This look-alike cannot check a password by ${srpFlow}`,
    expected: `a person without a password, or ${passwordFlow}`,
    change: `Leave the password of the person out of the configuration, or log in with ${passwordFlow}.`,
  },
  provider_access_token_refused: {
    error: "invalid_token",
    status: 400,
    sentence: "Access Token does not have required scopes",
    expected: `an access token with the scope ${scope}`,
    change: `Ask for the scope ${scope}, and send the access token of that login.`,
  },
  provider_pool_token_refused: {
    error: "invalid_token",
    status: 400,
    sentence: "{problem}",
    expected: "a valid token of a login, in AccessToken or as refresh token",
    change: "Send the token of the latest login, and log in again after a sign-out.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function answerAction(token: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, services, variable) => {
    const named = exchange.request.header("x-amz-target") ?? "no X-Amz-Target";
    const asked = adminActions[named] ?? named;
    const isAdmin = asked !== named;
    if (asked === actions.getUser) return await getUser(exchange, services);
    if (asked === actions.signOut) return await signOut(exchange, services);
    if (asked === actions.revoke) return await revokeToken(exchange, services);
    const body = parseJsonObject(await exchange.body()) ?? {};
    const { AuthFlow, AuthParameters, ChallengeName, ChallengeResponses, ClientId } = body;
    if (isAdmin) requirePool(body["UserPoolId"], services);
    const sendsPassword = isAdmin ? adminFlows.includes(AuthFlow) : AuthFlow === passwordFlow;
    if (asked === actions.initiate && sendsPassword) {
      return renameTokens(await signIn(ClientId, Object(AuthParameters), exchange, services));
    }
    if (asked === actions.initiate && AuthFlow === srpFlow) {
      return await challenge(ClientId, Object(AuthParameters), services);
    }
    if (asked === actions.respond && ChallengeName === srpChallenge) {
      return renameTokens(await answerChallenge(ClientId, Object(ChallengeResponses), exchange, services));
    }
    const sent = await readRefresh(asked, body, services);
    if (sent === undefined) throw refusal("provider_action_unknown", { received: asked });
    sendRefresh(sent, exchange);
    return renameTokens(await token(exchange, services, variable));
  };
}

function requirePool(id: unknown, { settings: { issuer } }: Services): void {
  if (issuer.endsWith(`/${id}`)) return;
  throw refusal("provider_pool_unknown", { id: String(id), received: "another" });
}

const empty: Answer = { status: 200, headers: answerHeaders, body: "" };

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
  const live = await requireToken(text, "access_token", services);
  const { token, client, grant } = live;
  exchange.note({ clientId: client.id, scope: token.scope, flow: grant.id, subject: grant.person.subject });
  if (!token.scope.includes(scope)) {
    throw refusal("provider_access_token_refused", { received: token.scope.join(" ") });
  }
  return live;
}

async function requireToken(
  text: unknown,
  kind: "access_token" | "refresh_token",
  services: Services,
): Promise<LiveToken & { readonly grant: LiveGrant }> {
  const token = await findToken(String(text), kind, services);
  const check = token?.kind === kind ? await checkLasting(token, services) : undefined;
  if (check?.isValid && check.live.grant !== undefined) return { ...check.live, grant: check.live.grant };
  const name = kind === "access_token" ? "Access Token" : "Refresh Token";
  const problem = check === undefined || check.isValid
    ? `Invalid ${name}`
    : `${name} has ${check.loss.startsWith("expired") ? "expired" : "been revoked"}`;
  throw refusal("provider_pool_token_refused", { problem, received: "another token" });
}

async function signOut(exchange: Exchange, services: Services): Promise<Answer> {
  const { grant } = await requireUser(exchange, services);
  await revokeGrant(grant.id, services);
  return empty;
}

async function revokeToken(exchange: Exchange, services: Services): Promise<Answer> {
  const { Token, ClientId, ClientSecret } = parseJsonObject(await exchange.body()) ?? {};
  const sent = { client_id: ClientId, client_secret: ClientSecret };
  const { client } = await authenticateClient(exchange, createParams(listTexts(sent)), services);
  const token = typeof Token === "string" ? await findToken(Token, "refresh_token", services) : undefined;
  if (token?.clientId === client.id && token.grantId !== undefined) {
    await revokeGrant(token.grantId, services);
  }
  return empty;
}

/** Answers with the tokens of the person whose password the request has. */
async function signIn(
  ClientId: unknown,
  { USERNAME, PASSWORD, SECRET_HASH }: Members,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  // identify
  const client_secret = await findSecret(ClientId, String(USERNAME), SECRET_HASH, services);
  const sent = listTexts({ client_id: ClientId, client_secret });
  const { client } = await authenticateClient(exchange, createParams(sent), services);
  const typed = { username: String(USERNAME), password: String(PASSWORD ?? "") };
  const person = await requireTypedPerson(typed, client, exchange, services);
  exchange.note({ clientId: client.id, subject: person.subject });
  // act, respond
  const access = { scope: client.scope ?? allScopes, resource: [] };
  const redemption = await redeemForPerson({ person, access, nonce: undefined }, client, services);
  return await answerDirectly(redemption, client, exchange, services);
}

/** Begins a login in which the client proves the password, and does not send it (RFC 5054). */
async function challenge(
  ClientId: unknown,
  { USERNAME, SRP_A, SECRET_HASH }: Members,
  services: Services,
): Promise<Answer> {
  const username = String(USERNAME);
  await findSecret(ClientId, username, SECRET_HASH, services);
  if (!/^[\da-f]{1,800}$/i.test(String(SRP_A)) || /^0+$/.test(String(SRP_A))) {
    throw refusal("provider_srp_malformed", { received: "another SRP_A" });
  }
  const draw = (octets: number, encoding: "hex" | "base64") =>
    encodeOctets(services.random(octets), encoding);
  return json({
    ChallengeName: srpChallenge,
    ChallengeParameters: {
      ...{ USERNAME: username, USER_ID_FOR_SRP: username, SECRET_BLOCK: draw(64, "base64") },
      ...{ SALT: draw(16, "hex"), SRP_B: draw(256, "hex") },
    },
  });
}

/** The server keeps a hash of each password, by which it cannot check the proof. */
async function answerChallenge(
  ClientId: unknown,
  { USERNAME, PASSWORD_CLAIM_SIGNATURE: PASSWORD, SECRET_HASH }: Members,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const person = services.settings.people.findByHint(String(USERNAME));
  if (person?.password !== undefined) throw refusal("provider_srp_unchecked", { received: person.username });
  return await signIn(ClientId, { USERNAME, PASSWORD, SECRET_HASH }, exchange, services);
}

/** Returns the secret with which the client has made the hash. `undefined`: the client has none. */
async function findSecret(
  id: unknown,
  username: string,
  hash: unknown,
  services: Services,
): Promise<string | undefined> {
  const client = await findClient(String(id), services);
  if (client === undefined) {
    throw refusal("provider_pool_client_unknown", { id: String(id), received: "another" });
  }
  const { secret, secretHash } = client.authentication ?? {};
  if (hash === undefined) {
    if (secretHash === undefined) return undefined;
    throw refusal("provider_secret_hash_missing", { id: client.id, received: "no SECRET_HASH" });
  }
  const right = secret && encodeOctets(hmacOctets(secret, username + client.id), "base64");
  if (right !== undefined && sameDigest(right, String(hash))) return secret;
  throw refusal("provider_secret_hash_wrong", { id: client.id, received: "another SECRET_HASH" });
}

/** Returns the parameters of a refresh. Absent: the action is another one. */
async function readRefresh(asked: string, body: Members, services: Services): Promise<Members | undefined> {
  const { RefreshToken, ClientId: client_id, ClientSecret, AuthFlow, AuthParameters } = body;
  if (asked === actions.refresh) {
    if (typeof RefreshToken === "string") await requireToken(RefreshToken, "refresh_token", services);
    return { refresh_token: RefreshToken, client_id, client_secret: ClientSecret };
  }
  if (asked !== actions.initiate || !refreshFlows.includes(AuthFlow)) return undefined;
  const { REFRESH_TOKEN: refresh_token, SECRET_HASH } = Object(AuthParameters);
  if (typeof refresh_token !== "string") return {};
  const { grant: { person } } = await requireToken(refresh_token, "refresh_token", services);
  const client_secret = await findSecret(client_id, person.username, SECRET_HASH, services);
  return { refresh_token, client_id, client_secret };
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
    ChallengeParameters: {},
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
  temporarily_unavailable: "TooManyRequestsException",
};

/** Members of the API that some clients compare. */
const errorsOfReasons: Readonly<Record<string, Members>> = {
  provider_pool_client_unknown: { __type: "ResourceNotFoundException" },
  provider_pool_unknown: { __type: "ResourceNotFoundException" },
  provider_password_wrong: { message: "Incorrect username or password." },
  provider_person_disabled: { message: "User is disabled." },
  provider_password_not_enough: {
    __type: "UnknownOperationException",
    message: "This look-alike does not have the challenge for a second factor",
  },
};

/** Says an error of the API as its SDKs read it. */
export function describeError(answer: Answer, { exchange: { request, facts } }: ActContext): Answer {
  if (answer.status < 400 || request.header("x-amz-target") === undefined) return answer;
  const { error, error_description: message } = parseJsonObject(textOf(answer.body)) ?? {};
  const __type = exceptions[String(error)] ?? "InvalidParameterException";
  const body = { __type, message, ...errorsOfReasons[facts.refusal?.reason ?? ""] };
  return { ...answer, status: 400, body: JSON.stringify(body) };
}
