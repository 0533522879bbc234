/** What a resource server checks of an access token (RFC 9068 §4, RFC 6750 §3.1). */

import { verifyJwt } from "../../crypto/jwt.ts";
import { fail } from "../../oauth/error.ts";
import type { Claims } from "../../oauth/members.ts";
import type { Services } from "../../oauth/services.ts";
import { describeAccessToken, isTypedAsAccessToken } from "../../oauth/tokens/access_token.ts";
import { parseCredential } from "../../oauth/tokens/credential.ts";
import { findLiveToken, findToken } from "../../oauth/tokens/find_token.ts";
import type { ReadToken } from "../../oauth/tokens/read_token.ts";
import type { TenantContext } from "../client/tenant_context.ts";

/** Why the token does not open the resource. */
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

export async function readToken(text: string, services: Services): Promise<ReadToken> {
  // An opaque token's claims come from our own store: issuer, type and signature need no check.
  if (parseCredential(text) !== undefined) {
    const token = await findToken(text, "access_token", services);
    if (token?.kind === "access_token") return token;
    // A record is kept for as long as its token is good.
    refuseToken(
      "token_unknown",
      "The server does not know this token, or not any more: it has expired, or another server gave it",
    );
  }
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
      "The token lacks a claim that every access token has (iss, exp, aud, sub, client_id, iat, jti), or one of them " +
        "or its cnf cannot be read",
      "RFC 9068 §2.2",
    );
  }
  return token;
}

/** RFC 9068 §4: signed by a key that the server publishes, with the algorithm of that key, as an access token. */
async function verify(text: string, { keys, settings }: Services): Promise<Claims> {
  const published = await keys.published();
  let asked:
    | { readonly kid: string | undefined; readonly alg: string; readonly isKnown: boolean }
    | undefined;
  const jwt = await verifyJwt(text, (kid, alg) => {
    const key = published.find((each) => each.kid === kid && each.alg === alg);
    asked = { kid, alg, isKnown: key !== undefined };
    return key;
  });
  if (asked === undefined) {
    refuseToken(
      "token_unreadable",
      "The token is no access token of this server, and not a signed JWT either",
    );
  }
  if (!asked.isKnown) {
    const { kid, alg } = asked;
    refuseToken(
      "token_of_unknown_key",
      `No published key has kid ${quote(kid)} and signs with ${quote(alg)}`,
      "RFC 9068 §4",
    );
  }
  if (jwt === undefined) {
    refuseToken(
      "signature_wrong",
      "The signature does not verify, or the header demands what nobody here understands",
      "RFC 7515 §5.2",
    );
  }
  if (!isTypedAsAccessToken(jwt, settings)) {
    const { accessTokenType } = settings;
    refuseToken(
      "token_of_another_type",
      jwt.typ === accessTokenType
        ? `The token is no access token: its typ is ${accessTokenType}, but it has no client_id, or it has at_hash`
        : `The token is no access token: expected typ ${accessTokenType}, but it is ${quote(jwt.typ)}`,
      "RFC 9068 §4",
    );
  }
  return jwt.claims;
}

export async function requireValid(
  token: ReadToken,
  { audience, scope }: { readonly audience: string; readonly scope: readonly string[] },
  { clock, services }: TenantContext,
): Promise<void> {
  const now = clock.now;
  if (token.expiresAt <= now) {
    refuseToken(
      "token_expired",
      `The token expired ${describeLateness(now - token.expiresAt)}`,
      "RFC 9068 §4",
    );
  }
  if (token.startsAt !== undefined && now < token.startsAt) {
    refuseToken("token_not_yet_valid", "The token is not valid yet", "RFC 7519 §4.1.5");
  }
  if (!token.audience.includes(audience)) {
    refuseToken(
      "token_for_another_audience",
      `The token is not for ${audience}, but for ${quote(token.audience.join(" "))}`,
      "RFC 9068 §4",
    );
  }
  // By the clock of whoever is asked for the resource: the server's may be wrong, and what it kept is not.
  const live = await findLiveToken(token, { ...services, now: () => now });
  if (live === undefined) {
    refuseToken("token_ended", "The token is revoked, or what it was given for has ended");
  }
  const held = live.token.scope;
  const missing = scope.filter((name) => !held.includes(name));
  if (missing.length > 0) {
    fail<TokenCheckReason>("insufficient_scope", `The token lacks the scope ${missing.join(" ")}`, {
      reason: "token_lacks_scope",
      spec: "RFC 6750 §3.1",
      expected: scope.join(" "),
      received: held.join(" "),
    });
  }
}

/** Of a token that was made to be expired, seconds would be a number without end. */
function describeLateness(late: number): string {
  const day = 24 * 60 * 60;
  return late < 2 * day ? `${Math.floor(late)} seconds ago` : `${Math.floor(late / day)} days ago`;
}

function refuseToken(reason: TokenCheckReason, description: string, spec = "RFC 6750 §3.1"): never {
  return fail<TokenCheckReason>("invalid_token", description, { reason, spec });
}

/** Whoever made the token wrote this. */
function quote(value: unknown): string {
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : "none";
}
