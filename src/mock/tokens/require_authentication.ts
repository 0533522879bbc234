/** Requires that the person of a token signed in recently, or in a certain way (RFC 9470). */

import { type AddedErrorCode, fail } from "../../oauth/error.ts";
import type { Claims } from "../../oauth/members.ts";

/** Why an API refuses the sign-in behind a token (RFC 9470 §3). */
export type AuthenticationReason = "acr_too_weak" | "authentication_too_old";

export interface RequiredAuthentication {
  /** The values of the claim `acr`, of which the token must have one. */
  readonly acr?: readonly string[] | undefined;
  /** The largest number of seconds since the person signed in. */
  readonly maxAge?: number | undefined;
}

export const insufficientAuthentication: AddedErrorCode = {
  code: "insufficient_user_authentication",
  status: 401,
};

export function requireAuthentication(
  { acr: receivedAcr, auth_time: authTime }: Claims,
  { acr, maxAge }: RequiredAuthentication,
  now: number,
): void {
  if (acr !== undefined && !acr.some((each) => each === receivedAcr)) {
    fail<AuthenticationReason>(
      insufficientAuthentication,
      "The person of the token signed in with another acr than this resource needs",
      {
        reason: "acr_too_weak",
        spec: "RFC 9470 §3",
        expected: `acr ${acr.join(" or ")}`,
        received: typeof receivedAcr === "string" ? `acr ${receivedAcr}` : "no acr",
      },
    );
  }
  if (maxAge === undefined) return;
  const age = typeof authTime === "number" ? Math.floor(now - authTime) : undefined;
  if (age !== undefined && age <= maxAge) return;
  fail<AuthenticationReason>(
    insufficientAuthentication,
    "The person of the token signed in too long ago for this resource",
    {
      reason: "authentication_too_old",
      spec: "RFC 9470 §3",
      expected: `a sign-in at most ${maxAge} seconds ago`,
      received: age === undefined ? "no auth_time" : `a sign-in ${age} seconds ago`,
    },
  );
}
