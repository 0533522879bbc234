/** Remembers used JWTs, so that each one is accepted once (RFC 7523 §3). */

import { sha256 } from "../../crypto/platform.ts";
import { clockSkew, markMargin } from "../../oauth/clock_skew.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import type { Services } from "../../oauth/feature.ts";
import { findGrant } from "../../oauth/tokens/check_grant.ts";
import type { Kind } from "../../store/store.ts";
import type { TrustedJwt } from "./trusted_jwt.ts";

const refusal = refusals({
  jwt_grant_replayed: {
    error: "invalid_grant",
    spec: "RFC 7523 §3",
    sentence: "The JWT was used before",
    expected: "a JWT that no request has used",
    change:
      "Get a new JWT from the issuer for each token request, and use the access token until it expires. For JWTs that are no ID-JAGs, once: false in the entry of trust accepts them again.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The record that uses up a JWT. The store keeps it for longer than the JWT is valid. */
export interface JwtUse {
  readonly id: string;
  readonly expiresAt: number;
}

/** Without jti, a JWT is recognised by what its issuer has signed: a second signature of the same text may differ. */
function describeUse({ text, issuer, claims: { jti, exp } }: TrustedJwt): JwtUse {
  const identity = typeof jti === "string" && jti !== ""
    ? ["jti", jti]
    : ["text", text.slice(0, text.lastIndexOf("."))];
  return {
    id: sha256(JSON.stringify(["jwt_grant", issuer, ...identity])),
    expiresAt: Math.ceil(exp as number) + clockSkew + markMargin,
  };
}

/**
 * Returns the id of the grant that the JWT gives. The write of the grant uses up the JWT, because the id must be free. If
 * another request writes it first, the token endpoint decides again, and this function refuses.
 */
export async function requireUnused(jwt: TrustedJwt, services: Services): Promise<JwtUse> {
  const use = describeUse(jwt);
  if (await findGrant(use.id, services) !== undefined) throw refusal("jwt_grant_replayed");
  return use;
}

const usedJwts: Kind<{ readonly usedAt: number }> = { name: "once" };

export async function recordUse(jwt: TrustedJwt, { store, now }: Services): Promise<void> {
  const { id, expiresAt } = describeUse(jwt);
  if (await store.put(usedJwts, id, { usedAt: now() }, { expiresAt, now: now(), if: null }) === undefined) {
    throw refusal("jwt_grant_replayed");
  }
}
