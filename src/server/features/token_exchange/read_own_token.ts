/** Reads the tokens of this server that a client exchanges: access tokens, ID tokens and refresh tokens. */

import { remainingScope } from "../../oauth/clients/metadata/scope.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { ExchangeableToken, PresentedForExchange } from "../../oauth/contracts/exchangeable_token.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { accessTokenReader } from "../../oauth/tokens/access_token.ts";
import {
  checkActiveGrant,
  grantNeeds,
  type LiveGrant,
  refuseOtherIssuer,
} from "../../oauth/tokens/check_grant.ts";
import { checkToken, explainLoss } from "../../oauth/tokens/find_token.ts";
import { readIssuedIdToken } from "../../oauth/tokens/issued_id_token.ts";
import { readLastResponse } from "../../oauth/contracts/grant.ts";
import type { ReadToken } from "../../oauth/contracts/read_token.ts";
import { present } from "../../../ground/values/present.ts";
import { accessTokenType, idTokenType, jwtType, refreshTokenType } from "./exchange_options.ts";

const refusal = refusals({ error: "invalid_request", spec: "RFC 8693 §2.2.2" }, {
  exchanged_ended: {
    sentence: "The {param} is not valid any more",
    expected: "a token that is valid now",
    change: "Exchange a token that has not expired and that no earlier request has ended.",
  },
  exchanged_id_token_without_grant: {
    sentence: "The {param} is an ID token of no login that the server knows",
    expected: "the jti with which the server issued the ID token",
    change: "Exchange the ID token of a login, without a hook that changes its jti.",
  },
  refresh_token_of_another_client: {
    spec: "RFC 6749 §10.4",
    sentence: "The {param} is the refresh token of another client",
    expected: "a refresh token of the client that exchanges it",
    change: "Exchange the access token of that client, because a refresh token is for its own client only.",
  },
  refresh_token_as_actor: {
    spec: "RFC 8693 §2.1",
    sentence: "A refresh token does not say who the actor is",
    expected: "an access token or an ID token of the actor",
    change: "Send an access token or an ID token as actor_token.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Returns `undefined` for text that is no token of this type of this server. */
export async function readOwnToken(
  presented: PresentedForExchange,
  services: Services,
): Promise<ExchangeableToken | undefined> {
  switch (presented.type) {
    case idTokenType:
      return await readIdToken(presented, services);
    case refreshTokenType:
      return await readRefreshToken(presented, services);
    default:
      return await readAccessToken(presented, services);
  }
}

async function readAccessToken(
  presented: PresentedForExchange,
  services: Services,
): Promise<ExchangeableToken | undefined> {
  const { type, text } = presented;
  const isJwt = text.split(".").length === 3;
  if (type !== accessTokenType && !(type === jwtType && isJwt)) return undefined;
  const token = await accessTokenReader.read(text, services);
  // The configuration may trust the other issuer.
  if (isJwt && token?.otherIssuer !== undefined) return undefined;
  noteFlow(token?.grantId, presented);
  return token && await requireLive(token, presented, services);
}

/** The exchange belongs to the login of its subject, also if the token is not valid any more. */
function noteFlow(flow: string | undefined, { param, exchange }: PresentedForExchange): void {
  if (param === "subject_token" && flow !== undefined) exchange.note({ flow });
}

async function readRefreshToken(
  presented: PresentedForExchange,
  services: Services,
): Promise<ExchangeableToken | undefined> {
  const { param, text, client } = presented;
  const reader = services.slots.tokenReaders.find(({ kind }) => kind === "refresh_token");
  const token = await reader?.read(text, services);
  if (token === undefined) return undefined;
  if (param === "actor_token") throw refusal("refresh_token_as_actor");
  if (token.clientId !== client.id) {
    throw refusal("refresh_token_of_another_client", {
      param,
      expected: token.clientId,
      received: client.id,
    });
  }
  noteFlow(token.grantId, presented);
  return await requireLive(token, presented, services);
}

async function requireLive(
  token: ReadToken,
  { param }: PresentedForExchange,
  services: Services,
): Promise<ExchangeableToken> {
  refuseOtherIssuer(token, { credential: param, error: "invalid_request" }, services);
  const check = await checkToken(token, services);
  if (!check.isValid) {
    const { because, expected, received = because } = explainLoss(token, check.loss, services);
    throw refusal("exchanged_ended", { param, received, ...present({ expected }) });
  }
  const { token: { clientId, scope, audience, confirmation, expiresAt, claims }, grant } = check.live;
  const binding = token.kind === "refresh_token" ? grant?.entry.value.refresh?.binding : confirmation;
  const issuedFor = grant === undefined
    ? issueForClient(check.live.token, check.live.client.epoch)
    : issueForGrant(grant);
  return {
    origin: clientId,
    scope,
    audience,
    ...present({ confirmation: binding }),
    issuedFor: token.kind === "access_token" ? { ...issuedFor, exchangedClaims: claims } : issuedFor,
    expiresAt: Math.min(expiresAt, grant?.entry.expiresAt ?? Infinity),
    claims,
  };
}

function issueForGrant({ id, entry }: LiveGrant): ExchangeableToken["issuedFor"] {
  return { grantId: id, grant: entry.value, replaces: "unstored" };
}

/** A client got the token for itself. A token in exchange for it has no grant either. */
function issueForClient(
  { clientId, scope, audience, claims }: ReadToken,
  clientEpoch: string,
): ExchangeableToken["issuedFor"] {
  return {
    grant: {
      status: "active",
      clientId,
      clientEpoch,
      subject: clientId,
      scope,
      resource: audience,
      amr: [],
      carried: {},
    },
    replaces: "unstored",
    subject: String(claims["sub"] ?? clientId),
  };
}

/** An ID token is valid until it expires or its grant ends. It stands for the last token response of the grant. */
async function readIdToken(
  presented: PresentedForExchange,
  services: Services,
): Promise<ExchangeableToken | undefined> {
  const { param, text } = presented;
  const token = await readIssuedIdToken(text, services);
  if (token === undefined) return undefined;
  const { clientId, grantId, expiresAt, claims } = token;
  noteFlow(grantId, presented);
  const now = Math.floor(services.now());
  if (expiresAt <= now) {
    throw refusal("exchanged_ended", { param, expected: `exp after ${now}`, received: `exp ${expiresAt}` });
  }
  if (grantId === undefined) throw refusal("exchanged_id_token_without_grant", { param });
  const check = await checkActiveGrant(grantId, services);
  if (!check.isValid) {
    throw refusal("exchanged_ended", { param, expected: grantNeeds[check.loss], received: check.loss });
  }
  const { entry, client } = check.live;
  const given = readLastResponse(entry.value);
  return {
    origin: client.id,
    scope: remainingScope(given.scope, client, services),
    audience: [clientId, ...(given.resource.length === 0 ? [services.settings.issuer] : given.resource)],
    ...present({ confirmation: given.confirmation }),
    issuedFor: { ...issueForGrant(check.live), exchangedClaims: given.claims ?? {} },
    expiresAt: Math.min(expiresAt, entry.expiresAt),
    claims,
  };
}
