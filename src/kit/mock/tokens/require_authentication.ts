/** Requires that the person of a token signed in recently, or in a certain way (RFC 9470). */

import { type AddedErrorCode, type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import type { Claims } from "../../../ground/values/members.ts";

export const insufficientAuthentication: AddedErrorCode = {
  code: "insufficient_user_authentication",
  status: 401,
};

/** Why an API refuses the sign-in behind a token (RFC 9470 §3). */
export type AuthenticationReason = "acr_too_weak" | "authentication_too_old";

const refusal = refusals({
  acr_too_weak: {
    error: insufficientAuthentication,
    spec: "RFC 9470 §3",
    sentence: "The person of the token signed in with another acr than this resource needs",
    expected: "acr {acr}",
    change: "Start a login with acr_values set to the expected acr.",
  },
  authentication_too_old: {
    error: insufficientAuthentication,
    spec: "RFC 9470 §3",
    sentence: "The person of the token signed in too long ago for this resource",
    expected: "a sign-in at most {maxAge} seconds ago",
    change: "Start a login with max_age, so that the person signs in again.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface RequiredAuthentication {
  /** The values of the claim `acr`, of which the token must have one. */
  readonly acr?: readonly string[] | undefined;
  /** The largest number of seconds since the person signed in. */
  readonly maxAge?: number | undefined;
}

export function requireAuthentication(
  { acr: receivedAcr, auth_time: authTime }: Claims,
  { acr, maxAge }: RequiredAuthentication,
  now: number,
): void {
  if (acr !== undefined && !acr.some((each) => each === receivedAcr)) {
    throw refusal("acr_too_weak", {
      acr: acr.join(" or "),
      received: typeof receivedAcr === "string" ? `acr ${receivedAcr}` : "no acr",
    });
  }
  if (maxAge === undefined) return;
  const age = typeof authTime === "number" ? Math.floor(now - authTime) : undefined;
  if (age !== undefined && age <= maxAge) return;
  throw refusal("authentication_too_old", {
    maxAge,
    received: age === undefined ? "no auth_time" : `a sign-in ${age} seconds ago`,
  });
}
