/** Recognises an access token by its claims. */

import type { Claims } from "../../../ground/values/members.ts";

/**
 * Tells access tokens from ID tokens by their claims, because both may have the typ `JWT` (RFC 8725 §3.12). Only an
 * access token has client_id, and only an ID token has at_hash. The claims of a person cannot contain either.
 */
export function hasAccessTokenClaims(claims: Claims): boolean {
  return claims["client_id"] !== undefined && claims["at_hash"] === undefined;
}
