/** Checks a token exchange request, and proposes the access token or the ID-JAG with its actors (RFC 8693 §2.1, §2.2, §4.1). */

import { type Client, publicClientMethod } from "../../oauth/contracts/client.ts";
import { memberOf } from "../../oauth/contracts/feature_values.ts";
import { narrowScope, parseScope, remainingScope } from "../../oauth/clients/metadata/scope.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { GrantType, Services } from "../../oauth/contracts/feature.ts";
import { type Params, requireParam } from "../../oauth/contracts/params.ts";
import { type AdviceRows, advices, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { ExchangeableToken, PresentedForExchange } from "../../oauth/contracts/exchangeable_token.ts";
import { explainUnknown } from "../../oauth/tokens/explain_unknown.ts";
import type { Redemption } from "../../oauth/contracts/redemption.ts";
import { present } from "../../../ground/values/present.ts";
import { describeSecretText } from "../../../ground/schema/received.ts";
import { accessTokenType, idJagType, idTokenType, jwtType, tokenExchangeMember } from "./exchange_options.ts";
import { issueIdJag, requireIdJagServer } from "./id_jag.ts";
import { redeemOnBehalf } from "./on_behalf_of.ts";
import {
  type Requester,
  requireActor,
  requireOrigin,
  requireProof,
  requireTargets,
} from "./require_allowed.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { Settings } from "../../oauth/contracts/settings.ts";
import { listActors, mostActors, nameIssuers } from "../../oauth/tokens/actor_chain.ts";

const refusal = refusals({ error: "invalid_request", spec: "RFC 8693 §2.1" }, {
  public_client_exchanges: {
    error: "unauthorized_client",
    spec: "RFC 8693 §5",
    sentence: "A client without credentials cannot exchange tokens",
    expected: "a client that authenticates",
    change:
      "Give the client a secret or a key, because any program that finds a token could exchange it otherwise.",
  },
  requested_type_unsupported: {
    sentence: "The server does not issue this requested_token_type",
    expected: "access_token, jwt or id-jag, after urn:ietf:params:oauth:token-type:",
    change: "Leave requested_token_type out, or request an access token or an ID-JAG.",
  },
  requested_jwt_is_opaque: {
    sentence: "The access tokens of this server are not JWTs",
    expected: "urn:ietf:params:oauth:token-type:access_token",
    change: "Request an access_token, or configure accessTokens as jwt.",
  },
  actor_type_missing: {
    sentence: "A request with actor_token needs actor_token_type",
    expected: "actor_token_type",
    change: "Add actor_token_type to the request.",
  },
  actor_type_alone: {
    sentence: "A request without actor_token must not have actor_token_type",
    expected: "no actor_token_type",
    change: "Add the actor_token, or leave actor_token_type out.",
  },
  exchanged_type_unsupported: {
    sentence: "The server does not accept this {param}_type",
    expected: "a token type that the server accepts",
    change: "Exchange a token of a type that the server accepts, and name this type.",
  },
  exchanged_unknown: {
    spec: "RFC 8693 §2.2.2",
    sentence: "The {param} is not valid",
    expected: "a token of the named type that this server or a trusted issuer issued",
    change: "Send the token unchanged, with its own type.",
  },
  exchanged_at_its_end: {
    spec: "RFC 8693 §5",
    sentence: "The subject_token has expired, so a token in exchange for it would have expired, too",
    expected: "a subject_token that is still valid for a second",
    change: "Exchange a token that has not expired. No difference between the clocks is allowed here.",
  },
  exchange_without_scope: {
    error: "invalid_scope",
    sentence: "The subject_token has no scope that this client may have",
    expected: "a scope that the subject_token and the client have, besides offline_access",
    change: "Exchange a token with a scope of this client, or add the scope to its configuration.",
  },
  exchange_offline_access_alone: {
    error: "invalid_scope",
    spec: "RFC 8693 §2.2.1",
    sentence: "A token exchange gives no refresh token, so the scope offline_access alone gives nothing",
    expected: "another scope, or no scope parameter for the whole scope of the subject_token",
    change: "Ask for the scopes that the new token needs, or leave scope out.",
  },
  exchange_actors_too_many: {
    spec: "RFC 8693 §4.1",
    sentence: "The new token would have too many actors",
    expected: `at most ${mostActors} actors, with the earlier ones`,
    change: "Let fewer services exchange the token one after the other, and look for a loop of services.",
  },
});

const advice = advices({
  exchange_without_refresh: {
    spec: "RFC 8693 §2.2.1",
    sentence: "The scope offline_access has no effect, because a token exchange gives no refresh token",
    expected: "a scope without offline_access",
    change: "Leave offline_access out of scope, and exchange a token again when the new token has expired.",
  },
});

export const refused: RefusalRows = refusal.rows;
export const advised: AdviceRows = advice.rows;

export const redeemExchange: GrantType["redeem"] = async (
  { exchange, form, client: { client, method }, sender },
  services,
): Promise<Redemption> => {
  if (method === publicClientMethod) throw refusal("public_client_exchanges");
  if (services.settings.exchangesOnBehalf) {
    const subject = await readToken("subject_token", form, client, exchange, services);
    exchange.note({ subject: subject.issuedFor.grant.subject });
    return redeemOnBehalf(subject, form, client, services);
  }
  const issuedType = requireRequestedType(form, services);
  const requester: Requester = { client, options: memberOf(client, tokenExchangeMember) ?? {}, sender };
  const isIdJag = issuedType === idJagType;
  const server = isIdJag ? requireIdJagServer(form, requester, services) : undefined;
  const resource = isIdJag ? [] : requireTargets(form, requester, services);
  const subject = await readToken("subject_token", form, client, exchange, services);
  requireTimeLeft(subject, services);
  const actor = await readActor(form, client, exchange, services);
  if (!isIdJag) requireOrigin(subject, requester, services);
  requireActor(subject, actor, { isRequired: !isIdJag }, requester, services);
  // An ID token itself is bound to no key, but the access of its login is. An ID-JAG gives no access at this server.
  const needsProof = (param: PresentedForExchange["param"]) =>
    !isIdJag || form.get(`${param}_type`) !== idTokenType;
  if (needsProof("subject_token")) requireProof("subject_token", subject, requester, services);
  if (actor !== undefined && needsProof("actor_token")) {
    requireProof("actor_token", actor, requester, services);
  }
  const { grantId, grant } = subject.issuedFor;
  const claims = nameActor(subject, actor, services.settings);
  exchange.note({
    ...(grantId === undefined ? {} : { flow: grantId, subject: grant.subject }),
    more: { token_exchange: { from: subject.origin, ...present({ actor: actor?.origin }) } },
  });
  const members = { issued_token_type: issuedType };
  if (server !== undefined) {
    return { ...await issueIdJag({ form, subject, server, requester, claims }, exchange, services), members };
  }
  const scope = requireScope(form, subject, client, exchange, services);
  exchange.note({ scope, resource });
  return {
    ...subject.issuedFor,
    scope,
    resource,
    expiresBy: Math.floor(subject.expiresAt),
    members,
    claims,
    accessTokenOnly: true,
  };
};

function requireRequestedType(form: Params, { settings }: Services): string {
  const requested = form.get("requested_token_type") ?? accessTokenType;
  if (requested === jwtType && settings.accessTokens !== "jwt") {
    throw refusal("requested_jwt_is_opaque", { received: requested });
  }
  if ([accessTokenType, jwtType, idJagType].includes(requested)) return requested;
  throw refusal("requested_type_unsupported", { received: describeType(requested) });
}

/** Any other text may be a token in the wrong parameter. */
function describeType(text: string): string {
  return /^urn:[\w:.-]{1,80}$/.test(text) ? text : describeSecretText(text);
}

async function readActor(
  form: Params,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<ExchangeableToken | undefined> {
  const [hasToken, hasType] = ["actor_token", "actor_token_type"].map((name) => form.get(name) !== undefined);
  if (hasToken && !hasType) throw refusal("actor_type_missing");
  if (hasType && !hasToken) throw refusal("actor_type_alone");
  return hasToken ? await readToken("actor_token", form, client, exchange, services) : undefined;
}

async function readToken(
  param: PresentedForExchange["param"],
  form: Params,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<ExchangeableToken> {
  const [text, type] = [requireParam(form, param), requireParam(form, `${param}_type`)];
  const all = services.slots.exchangeable;
  const readers = all.filter(({ types }) => types.includes(type));
  if (readers.length === 0) {
    throw refusal("exchanged_type_unsupported", {
      param,
      expected: [...new Set(all.flatMap(({ types }) => types))].join(", "),
      received: describeType(type),
    });
  }
  for (const reader of readers) {
    const token = await reader.read({ param, text, type, client, exchange }, services);
    if (token !== undefined) return token;
  }
  const { because, expected, received = because } = exchange.hasJournal
    ? await explainUnknown(text, services)
    : { because: "" };
  throw refusal("exchanged_unknown", { param, received, ...present({ expected }) });
}

/** The clocks of two servers may differ, so a token counts as valid for some seconds after its exp. A new token would not. */
function requireTimeLeft({ expiresAt }: ExchangeableToken, { now }: Services): void {
  if (Math.floor(expiresAt) > Math.floor(now())) return;
  throw refusal("exchanged_at_its_end", { received: `exp ${Math.floor(expiresAt)}` });
}

/** The new token has no more scopes than the subject_token, and only those of the client. It cannot be refreshed. */
function requireScope(
  form: Params,
  subject: ExchangeableToken,
  client: Client,
  exchange: Exchange,
  services: Services,
): readonly string[] {
  const available = withoutRefresh(remainingScope(subject.scope, client, services));
  const requested = parseScope(form.get("scope") ?? "") ?? [];
  const left = withoutRefresh(requested);
  const asksForRefresh = left.length < requested.length;
  if (asksForRefresh && left.length === 0) throw refusal("exchange_offline_access_alone");
  const scope = narrowScope(asksForRefresh ? left.join(" ") : form.get("scope"), available);
  if (scope.length === 0) {
    const ofClient = client.scope?.join(" ") ?? "any scope";
    throw refusal("exchange_without_scope", {
      received: `${subject.scope.join(" ") || "no scope"}; the client may have ${ofClient}`,
    });
  }
  if (asksForRefresh) exchange.note({ advice: advice("exchange_without_refresh") });
  return scope;
}

function withoutRefresh(scope: readonly string[]): readonly string[] {
  return scope.filter((name) => name !== "offline_access");
}

/** The current actor is the outermost, with the earlier ones in it. `may_act` stays, so that a further exchange is no freer. */
function nameActor(
  { claims: { act: earlier, may_act } }: ExchangeableToken,
  actor: ExchangeableToken | undefined,
  { issuer }: Settings,
): Claims {
  const { iss = issuer, sub } = actor?.claims ?? {};
  // The tokens of earlier versions name no issuer of the actors of this server.
  const act = nameIssuers(actor === undefined ? earlier : { iss, sub, ...present({ act: earlier }) }, issuer);
  const { length } = listActors(act);
  if (length > mostActors) throw refusal("exchange_actors_too_many", { received: `${length} actors` });
  return present({ act, may_act });
}
