/** Checks an access token as a resource server must (RFC 9068 §4, RFC 6750 §3.1). */

import { type VerifiedJwt, verifyJwt } from "../../../ground/crypto/jwt.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { describeAccessToken, isTypedAsAccessToken } from "../../../server/oauth/tokens/access_token.ts";
import { parseCredential } from "../../../server/oauth/secrets/credential.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import {
  checkToken as checkIssued,
  explainLoss,
  findToken,
  type LiveToken,
} from "../../../server/oauth/tokens/find_token.ts";

type ReadToken = LiveToken["token"];

/** Why a resource server refuses the token. */
export type TokenCheckReason =
  | "token_unreadable"
  | "token_unknown"
  | "token_of_unknown_key"
  | "signature_wrong"
  | "token_of_another_type"
  | "issuer_differs"
  | "claims_missing"
  | "token_expired"
  | "token_not_yet_valid"
  | "token_for_another_audience"
  | "token_ended"
  | "token_lacks_scope";

const anotherType = {
  error: "invalid_token",
  spec: "RFC 9068 §4",
  change: "Send the access token, and not the ID token.",
} as const;

const refusal = refusals({
  token_unknown: {
    error: "invalid_token",
    spec: "RFC 6750 §3.1",
    sentence: "The server does not know this token: it has expired, or another server issued it",
    change: "Send an access token that this server issued and that is still valid.",
  },
  issuer_differs: {
    error: "invalid_token",
    spec: "RFC 9068 §4",
    sentence: "The token is not from {issuer}: its issuer is {iss}",
    change: "Send a token of the issuer that the API trusts.",
  },
  claims_missing: {
    error: "invalid_token",
    spec: "RFC 9068 §2.2",
    sentence:
      "The token lacks a claim that every access token has (iss, exp, aud, sub, client_id, iat, jti), or one of them or its cnf cannot be read",
    change: "Send an access token with all claims of RFC 9068.",
  },
  token_unreadable: {
    error: "invalid_token",
    spec: "RFC 6750 §3.1",
    sentence: "The token is not an access token of this server, and not a signed JWT",
    change: "Send the access_token of a token response, and not an ID token or a code.",
  },
  token_of_unknown_key: {
    error: "invalid_token",
    spec: "RFC 9068 §4",
    sentence: "No published key has kid {kid} and signs with {alg}",
    change: "Send a token that a published key signed, or let the API load the JWKS again.",
  },
  signature_wrong: {
    error: "invalid_token",
    spec: "RFC 7515 §5.2",
    sentence: "The signature does not verify, or the header has an unknown critical extension",
    change: "Send the token unchanged, because its signature no longer fits.",
  },
  token_of_another_type: {
    ...anotherType,
    sentence: "The token is not an access token: its typ must be {accessTokenType}, not {typ}",
  },
  token_of_same_type: {
    ...anotherType,
    reason: "token_of_another_type",
    sentence:
      "The token is not an access token: its typ is {accessTokenType}, but it has no client_id, or it has at_hash",
  },
  token_expired: {
    error: "invalid_token",
    spec: "RFC 9068 §4",
    sentence: "The token expired {time}",
    change: "Refresh before the access token expires.",
  },
  token_not_yet_valid: {
    error: "invalid_token",
    spec: "RFC 7519 §4.1.5",
    sentence: "The token is not valid yet",
    change: "Compare the clocks of the server and the API, or wait until the token is valid.",
  },
  token_for_another_audience: {
    error: "invalid_token",
    spec: "RFC 9068 §4",
    sentence: "The token is not for {audience}, but for {others}",
    change:
      "Send the parameter resource (audience at Auth0), with the address of this API, in the authorization request and in the token request, or let the API accept the audience that it received.",
  },
  token_ended: {
    error: "invalid_token",
    spec: "RFC 6750 §3.1",
    sentence: "The token has ended: {because}",
    change: "Get a new token: an earlier request ended this one.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The accepted values of `aud`. Errors name the first one. */
export type Audiences = readonly [name: string, ...others: string[]];

/** The authorization server of the token, with the time of the API. */
export interface CheckContext {
  readonly now: number;
  readonly services: Services;
}

/** Throws an OAuthError if the resource server must refuse the token. The result has the scope that the grant still has. */
export async function checkToken(
  text: string,
  audiences: Audiences,
  { now, services }: CheckContext,
): Promise<LiveToken> {
  const token = parseCredential(text) === undefined
    ? await readJwt(text, services)
    : await readOpaque(text, services);
  requireTime(token, now);
  requireAudience(token, audiences);
  return await requireLive(token, { ...services, now: () => now });
}

/** Finds an opaque token in the server's store, so the type and a signature need no check. */
async function readOpaque(text: string, services: Services): Promise<ReadToken> {
  const token = await findToken(text, "access_token", services);
  if (token?.otherIssuer !== undefined) {
    throw refusal("issuer_differs", { issuer: services.settings.issuer, iss: quote(token.claims["iss"]) });
  }
  if (token?.kind === "access_token") return token;
  // The record is also missing if the token has expired, because the server deletes expired records.
  throw refusal("token_unknown");
}

async function readJwt(text: string, services: Services): Promise<ReadToken> {
  const jwt = await verify(text, services);
  const { claims } = jwt;
  const { issuer } = services.settings;
  if (claims["iss"] !== issuer) throw refusal("issuer_differs", { issuer, iss: quote(claims["iss"]) });
  requireType(jwt, services);
  const { sub, iat } = claims;
  const token = describeAccessToken(claims);
  if (token === undefined || typeof sub !== "string" || typeof iat !== "number") {
    throw refusal("claims_missing");
  }
  return token;
}

/** Verifies the signature with a published key. */
async function verify(text: string, { keys }: Services): Promise<VerifiedJwt> {
  const published = await keys.published();
  let header: { readonly kid: string | undefined; readonly alg: string } | undefined;
  let isKeyKnown: boolean | undefined;
  const jwt = await verifyJwt(text, (kid, alg) => {
    header = { kid, alg };
    const key = published.find((each) => each.kid === kid && each.alg === alg);
    isKeyKnown = key !== undefined;
    return key;
  });
  if (header === undefined) throw refusal("token_unreadable");
  if (!isKeyKnown) throw refusal("token_of_unknown_key", { kid: quote(header.kid), alg: quote(header.alg) });
  if (jwt === undefined) throw refusal("signature_wrong");
  return jwt;
}

/** RFC 9068 §4 */
function requireType(jwt: VerifiedJwt, { settings }: Services): void {
  if (isTypedAsAccessToken(jwt, settings)) return;
  const { accessTokenType } = settings;
  throw jwt.typ === accessTokenType
    ? refusal("token_of_same_type", { accessTokenType })
    : refusal("token_of_another_type", { accessTokenType, typ: quote(jwt.typ) });
}

function requireTime({ expiresAt, startsAt }: ReadToken, now: number): void {
  if (expiresAt <= now) throw refusal("token_expired", { time: describeLateness(now - expiresAt) });
  if (startsAt !== undefined && now < startsAt) throw refusal("token_not_yet_valid");
}

/** Uses days if the token expired long ago, because `as.expire` moves the times of a token back by years. */
function describeLateness(seconds: number): string {
  const day = 24 * 60 * 60;
  return seconds < 2 * day ? `${Math.floor(seconds)} seconds ago` : `${Math.floor(seconds / day)} days ago`;
}

function requireAudience(token: ReadToken, audiences: Audiences): void {
  if (audiences.some((each) => token.audience.includes(each))) return;
  throw refusal("token_for_another_audience", {
    audience: audiences[0],
    others: quote(token.audience.join(" ")),
  });
}

async function requireLive(token: ReadToken, services: Services): Promise<LiveToken> {
  const check = await checkIssued(token, services);
  if (check.isValid) return check.live;
  const { because } = explainLoss(token, check.loss, services);
  throw refusal("token_ended", { because });
}

/** Limits the length of a value from the token, because an attacker may have written the token. */
function quote(value: unknown): string {
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : "none";
}
