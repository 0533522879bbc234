/** What the API of user pools answers at Amazon Cognito: who the person of an access token is, and new tokens. */

import { hmacOctets, sameDigest } from "../../../ground/crypto/platform.ts";
import { encodeOctets } from "../../../ground/values/octets.ts";
import { textOf } from "../../../ground/http/body.ts";
import { type Answer, withHeaders } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import type { Person } from "../../../server/oauth/contracts/people.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { namesOfScopes, selectClaims } from "../../../server/oauth/people/claims.ts";
import { findToken, type LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { type LiveGrant, revokeGrant } from "../../../server/oauth/tokens/check_grant.ts";
import { authenticateClient } from "../../../server/oauth/clients/authentication/authenticate_client.ts";
import { createParams, readForm } from "../../../server/oauth/contracts/params.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import { answerDirectly, redeemForPerson } from "../../../server/oauth/tokens/issue_directly.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { ActContext } from "../misbehaviour.ts";
import { checkLasting, groupsOf, guidFor, type ProviderRefusal, withJson } from "./differences.ts";
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
const adminGetUser = `${target}AdminGetUser`;
const listGroups = `${target}AdminListGroupsForUser`;
/** The members that an action requires. With Admin, it requires UserPoolId, too. */
const required: Readonly<Record<string, readonly string[]>> = {
  [actions.getUser]: ["AccessToken"],
  [actions.signOut]: ["AccessToken"],
  [actions.refresh]: ["RefreshToken", "ClientId"],
  [actions.initiate]: ["AuthFlow", "ClientId"],
  [actions.respond]: ["ChallengeName", "ClientId"],
  [actions.revoke]: ["Token", "ClientId"],
  [adminGetUser]: ["Username"],
  [listGroups]: ["Username"],
};
/** Flows of Cognito that this look-alike does not have. */
const lackedFlows: readonly unknown[] = ["CUSTOM_AUTH", "USER_AUTH"];
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
      [...Object.values(actions), ...Object.keys(adminActions), adminGetUser, listGroups].join(" or ")
    }, where InitiateAuth refreshes or has the AuthFlow ${passwordFlow} or ${srpFlow}`,
    change: "Call one of these, or answer POST at this address with as.route().",
  },
  provider_parameter_missing: {
    error: "invalid_request",
    sentence: "Missing required parameter {name}",
    change: "Send the member, as the page of the action has it.",
  },
  provider_flow_refused: {
    error: "invalid_request",
    sentence: "Initiate Auth method not supported",
    expected: `${passwordFlow} or ${srpFlow}, or ADMIN_USER_PASSWORD_AUTH for AdminInitiateAuth`,
    change: "Name a flow of this action in AuthFlow.",
  },
  provider_pool_person_unknown: {
    error: "not_found",
    status: 400,
    sentence: "User does not exist",
    expected: "the username, the email or the sub of a person in Username",
    change: "Name a person of the configuration.",
  },
  provider_token_unsupported: {
    error: { code: "unsupported_token_type", status: 400 },
    sentence: "The token is not a refresh token",
    change: "Revoke the refresh token of the login, which ends its access tokens, too.",
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
    const isAdmin = named.startsWith(`${target}Admin`);
    const body = parseJsonObject(await exchange.body()) ?? {};
    requireMembers(required[asked] ?? [], body);
    if (isAdmin) requirePool(body["UserPoolId"], services);
    if (asked === actions.getUser) return await getUser(exchange, services);
    if (asked === actions.signOut) return await signOut(exchange, services);
    if (asked === actions.revoke) return await revokeToken(exchange, services);
    if (asked === adminGetUser) return describeAccount(requirePerson(body["Username"], services));
    if (asked === listGroups) {
      const groups = groupsOf(requirePerson(body["Username"], services));
      return json({ Groups: groups.map((GroupName) => ({ GroupName, UserPoolId: body["UserPoolId"] })) });
    }
    const { AuthFlow, ChallengeName, ChallengeResponses, ClientId } = body;
    const parameters: Members = Object(body["AuthParameters"]);
    const sendsPassword = isAdmin ? adminFlows.includes(AuthFlow) : AuthFlow === passwordFlow;
    if (asked === actions.initiate) requireFlow(AuthFlow, sendsPassword, parameters);
    if (asked === actions.initiate && sendsPassword) {
      return renameTokens(await signIn(ClientId, parameters, exchange, services));
    }
    if (asked === actions.initiate && AuthFlow === srpFlow) {
      return await challenge(ClientId, parameters, services);
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

function requireMembers(names: readonly string[], body: Members): void {
  const name = names.find((each) => body[each] === undefined);
  if (name !== undefined) throw refusal("provider_parameter_missing", { name });
}

function requireFlow(flow: unknown, sendsPassword: boolean, parameters: Members): void {
  if (sendsPassword) requireMembers(["USERNAME", "PASSWORD"], parameters);
  else if (flow === srpFlow) requireMembers(["USERNAME", "SRP_A"], parameters);
  else if (refreshFlows.includes(flow)) requireMembers(["REFRESH_TOKEN"], parameters);
  else if (!lackedFlows.includes(flow)) throw refusal("provider_flow_refused", { received: String(flow) });
}

function requirePerson(name: unknown, { settings: { people } }: Services): Person {
  const person = people.findByHint(String(name)) ?? people.findBySubject(String(name));
  if (person === undefined) throw refusal("provider_pool_person_unknown", { received: "another" });
  return person;
}

function requirePool(id: unknown, { settings: { issuer } }: Services): void {
  if (issuer.endsWith(`/${id}`)) return;
  throw refusal("provider_pool_unknown", { id: String(id), received: "another" });
}

/** An action whose output has no members. */
const empty: Answer = json({});

const before = 1_577_836_800;

function describeAccount(person: Person): Answer {
  return json({
    ...{ Username: person.username, UserAttributes: listAttributes(person), UserStatus: "CONFIRMED" },
    ...{ Enabled: person.isDisabled !== true, UserCreateDate: before, UserLastModifiedDate: before },
  });
}

function listAttributes(person: Person): readonly Members[] {
  const names = namesOfScopes(["profile", "email", "phone"]).filter((name) => name !== "preferred_username");
  const attributes = { sub: person.subject, ...selectClaims(person, names) };
  return Object.entries(attributes).map(([Name, value]) => ({ Name, Value: String(value) }));
}

async function getUser(exchange: Exchange, services: Services): Promise<Answer> {
  const { grant: { person } } = await requireUser(exchange, services);
  return json({ Username: person.username, UserAttributes: listAttributes(person) });
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
  const token = await findRefreshToken(String(Token), services);
  if (token?.clientId === client.id && token.grantId !== undefined) {
    await revokeGrant(token.grantId, services);
  }
  return empty;
}

/** Returns `undefined` for a token that is unknown. */
async function findRefreshToken(text: string, services: Services): ReturnType<typeof findToken> {
  const token = await findToken(text, "refresh_token", services);
  if (token?.kind === "access_token") {
    throw refusal("provider_token_unsupported", { received: "access_token" });
  }
  return token;
}

/** The endpoint of a revocation takes refresh tokens only. */
export function revokesRefreshTokens(usual: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, services, variable) => {
    const text = (await readForm(exchange)).get("token");
    if (text !== undefined) await findRefreshToken(text, services);
    return await usual(exchange, services, variable);
  };
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
  unsupported_token_type: "UnsupportedTokenTypeException",
  temporarily_unavailable: "TooManyRequestsException",
};

/** Members of the API that some clients compare. */
const errorsOfReasons: Readonly<Record<string, Members>> = {
  provider_pool_client_unknown: { __type: "ResourceNotFoundException" },
  client_unknown: { __type: "ResourceNotFoundException" },
  provider_pool_unknown: { __type: "ResourceNotFoundException" },
  provider_pool_person_unknown: { __type: "UserNotFoundException", message: "User does not exist." },
  provider_flow_refused: { message: "Initiate Auth method not supported." },
  provider_password_wrong: { message: "Incorrect username or password." },
  provider_person_disabled: { message: "User is disabled." },
  provider_password_not_enough: {
    __type: "UnknownOperationException",
    message: "This look-alike does not have the challenge for a second factor",
  },
};

/** What RevokeToken says where other actions say NotAuthorizedException. */
const unauthorized = { __type: "UnauthorizedException" };

const userInfoErrors: Readonly<Record<number, ProviderRefusal>> = {
  400: ["invalid_request", "Bad OAuth2 request at UserInfo Endpoint"],
  401: [
    "invalid_token",
    "Access token is expired, disabled, or deleted, or the user has globally signed out.",
    401,
  ],
};

/** Says an error of userinfo as Cognito does: a request without a token is a bad one. */
function describeUserInfoError(answer: Answer, { exchange: { facts } }: ActContext): Answer {
  const status = facts.refusal?.reason === "token_missing" ? 400 : answer.status;
  const refused = userInfoErrors[status];
  if (refused === undefined) return answer;
  const [error, error_description] = refused;
  const challenge = `Bearer error="${error}", error_description="${error_description}"`;
  return withHeaders(withJson({ ...answer, status }, { error, error_description }), {
    "www-authenticate": challenge,
  });
}

/** Says an answer of the API as its SDKs read it. */
export function describeAnswer(answer: Answer, at: ActContext): Answer {
  const { exchange: { request, facts, id } } = at;
  const action = request.header("x-amz-target");
  if (action === undefined && request.method === "GET") return describeUserInfoError(answer, at);
  const { "www-authenticate": _, ...headers } = answer.headers;
  const own = { "content-type": "application/x-amz-json-1.1", "x-amzn-requestid": guidFor(id) };
  const typed = withHeaders({ ...answer, headers }, own);
  if (answer.status < 400) return typed;
  const { error, error_description: message } = parseJsonObject(textOf(answer.body)) ?? {};
  const isRefused = action === actions.revoke && error === "invalid_client";
  const body = {
    ...{ __type: exceptions[String(error)] ?? "InvalidParameterException", message },
    ...(isRefused ? unauthorized : errorsOfReasons[facts.refusal?.reason ?? ""]),
  };
  return { ...typed, status: 400, body: JSON.stringify(body) };
}
