/** Checks an access token as a resource server must (RFC 9068 §4, RFC 6750 §3.1). */

import { verifyJwt } from "../../crypto/jwt.ts";
import { fail } from "../../oauth/error.ts";
import type { Claims } from "../../oauth/members.ts";
import type { Services } from "../../oauth/services.ts";
import { describeAccessToken, isTypedAsAccessToken } from "../../oauth/tokens/access_token.ts";
import { parseCredential } from "../../oauth/credential.ts";
import { explainLoss } from "../../oauth/tokens/explain_inactive.ts";
import { checkToken as checkIssued, findToken, type LiveToken } from "../../oauth/tokens/find_token.ts";
import type { ReadToken } from "../../oauth/tokens/read_token.ts";

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

/** What the resource requires. */
interface Required {
  /** The accepted values of `aud`. Errors name the first one. */
  readonly audiences: readonly [name: string, ...others: string[]];
}

/** The services of the authorization server, and the resource server's time. */
interface TokenContext {
  readonly now: number;
  readonly services: Services;
}

/**
 * Returns the token, or throws an OAuthError if the resource server must refuse it. The scope of the result is the one
 * that the grant still has.
 */
export async function checkToken(
  text: string,
  { audiences }: Required,
  { now, services }: TokenContext,
): Promise<LiveToken> {
  const token = parseCredential(text) === undefined
    ? await readJwt(text, services)
    : await readOpaque(text, services);
  requireTime(token, now);
  requireAudience(token, audiences);
  return await requireLive(token, { ...services, now: () => now });
}

/** Finds an opaque token in the server's store, so the issuer, the type and a signature need no check. */
async function readOpaque(text: string, services: Services): Promise<ReadToken> {
  const token = await findToken(text, "access_token", services);
  if (token?.kind === "access_token") return token;
  // The record is also missing if the token has expired, because the server deletes expired records.
  return refuseToken(
    "token_unknown",
    "The server does not know this token: it has expired, or another server issued it",
  );
}

async function readJwt(text: string, services: Services): Promise<ReadToken> {
  const claims = await verify(text, services);
  const { issuer } = services.settings;
  if (claims["iss"] !== issuer) {
    refuseToken(
      "issuer_differs",
      `The token is not from ${issuer}: its issuer is ${quote(claims["iss"])}`,
      "RFC 9068 §4",
    );
  }
  const { sub, iat } = claims;
  const token = describeAccessToken(claims);
  if (token === undefined || typeof sub !== "string" || typeof iat !== "number") {
    refuseToken(
      "claims_missing",
      "The token lacks a claim that every access token has (iss, exp, aud, sub, client_id, iat, jti), or one of " +
        "them or its cnf cannot be read",
      "RFC 9068 §2.2",
    );
  }
  return token;
}

/** Verifies the signature with a published key, and requires the type of an access token (RFC 9068 §4). */
async function verify(text: string, { keys, settings }: Services): Promise<Claims> {
  const published = await keys.published();
  let header: { readonly kid: string | undefined; readonly alg: string } | undefined;
  let isKeyKnown = false;
  const jwt = await verifyJwt(text, (kid, alg) => {
    header = { kid, alg };
    const key = published.find((each) => each.kid === kid && each.alg === alg);
    isKeyKnown = key !== undefined;
    return key;
  });
  if (header === undefined) {
    return refuseToken(
      "token_unreadable",
      "The token is not an access token of this server, and not a signed JWT",
    );
  }
  if (!isKeyKnown) {
    refuseToken(
      "token_of_unknown_key",
      `No published key has kid ${quote(header.kid)} and signs with ${quote(header.alg)}`,
      "RFC 9068 §4",
    );
  }
  if (jwt === undefined) {
    refuseToken(
      "signature_wrong",
      "The signature does not verify, or the header has an unknown critical extension",
      "RFC 7515 §5.2",
    );
  }
  if (!isTypedAsAccessToken(jwt, settings)) {
    const { accessTokenType } = settings;
    refuseToken(
      "token_of_another_type",
      jwt.typ === accessTokenType
        ? `The token is not an access token: its typ is ${accessTokenType}, but it has no client_id, or it has at_hash`
        : `The token is not an access token: its typ must be ${accessTokenType}, not ${quote(jwt.typ)}`,
      "RFC 9068 §4",
    );
  }
  return jwt.claims;
}

function requireTime({ expiresAt, startsAt }: ReadToken, now: number): void {
  if (expiresAt <= now) {
    refuseToken("token_expired", `The token expired ${describeLateness(now - expiresAt)}`, "RFC 9068 §4");
  }
  if (startsAt !== undefined && now < startsAt) {
    refuseToken("token_not_yet_valid", "The token is not valid yet", "RFC 7519 §4.1.5");
  }
}

/** Uses days if the token expired long ago, because `as.expire` moves the times of a token back by years. */
function describeLateness(seconds: number): string {
  const day = 24 * 60 * 60;
  return seconds < 2 * day ? `${Math.floor(seconds)} seconds ago` : `${Math.floor(seconds / day)} days ago`;
}

function requireAudience(token: ReadToken, audiences: Required["audiences"]): void {
  if (audiences.some((each) => token.audience.includes(each))) return;
  refuseToken(
    "token_for_another_audience",
    `The token is not for ${audiences[0]}, but for ${quote(token.audience.join(" "))}`,
    "RFC 9068 §4",
  );
}

async function requireLive(token: ReadToken, services: Services): Promise<LiveToken> {
  const check = await checkIssued(token, services);
  if (check.isValid) return check.live;
  const { because } = explainLoss(token, check.loss, services);
  return refuseToken("token_ended", `The token has ended: ${because}`);
}

function refuseToken(reason: TokenCheckReason, description: string, spec = "RFC 6750 §3.1"): never {
  return fail<TokenCheckReason>("invalid_token", description, { reason, spec });
}

/** Limits the length of a value from the token, because an attacker may have written the token. */
function quote(value: unknown): string {
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : "none";
}
