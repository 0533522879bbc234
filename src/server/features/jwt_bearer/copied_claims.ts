/** Checks the claims of a trusted JWT that the server shows, or copies into its own tokens (RFC 8725 §3.10). */

import { isNumericDate } from "../../../ground/crypto/jwt.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { fitText, isFitText } from "../../../ground/values/hidden_characters.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import type { TrustedJwt } from "./trusted_jwt.ts";

const refusal = refusals({ error: "invalid_grant" }, {
  jwt_grant_claim_unfit: {
    spec: "RFC 8725 §3.10",
    sentence: "The {claim} of the JWT does not fit into a token of this server",
    expected: `texts of ${fitText}`,
    change: "Let the issuer send a shorter value without control characters and invisible characters.",
  },
  jwt_grant_time_unfit: {
    spec: "RFC 7519 §2",
    sentence: "The {claim} of the JWT is no time between 1970 and 9999",
    expected: "seconds since 1970",
    change: "Let the issuer send the time in seconds, and not in milliseconds, or leave the claim out.",
  },
});

export const refused: RefusalRows = refusal.rows;

const times = ["exp", "nbf", "iat", "auth_time"];

// The actors of the chain are ten at most, and each may have some members with members.
const deepest = 20;

/** Call it when the length of `act` is checked. */
export function requireFitClaims({ claims, entry }: TrustedJwt): void {
  const { sub, act, may_act, amr, scope, resource } = claims;
  requireFitTimes(claims);
  const copied: Claims = {
    sub,
    ...(entry.person === undefined ? {} : { [entry.person.claim]: claims[entry.person.claim] }),
    act,
    may_act,
    amr,
    // Only those of an ID-JAG have a meaning here.
    ...(entry.isIdJag ? { scope: typeof scope === "string" ? scope.split(" ") : scope, resource } : {}),
  };
  for (const [claim, value] of Object.entries(copied)) requireFit(claim, value, deepest);
}

function requireFitTimes(claims: Claims): void {
  for (const claim of times) {
    const value = claims[claim];
    if (typeof value !== "number" || isNumericDate(value)) continue;
    throw refusal("jwt_grant_time_unfit", { claim, received: `${claim} ${value}` });
  }
}

/** The members of `act` may be times, too. */
function requireFit(claim: string, value: unknown, levels: number): void {
  if (typeof value === "string" && !isFitText(value)) {
    throw refusal("jwt_grant_claim_unfit", { claim, received: describeUnfit(value) });
  }
  if (typeof value !== "object" || value === null) return;
  if (levels === 0) {
    throw refusal("jwt_grant_claim_unfit", { claim, received: "a value with too many levels" });
  }
  requireFitTimes(value as Claims);
  for (const [name, member] of Object.entries(value)) {
    requireFit(claim, name, levels - 1);
    requireFit(claim, member, levels - 1);
  }
}

function describeUnfit(text: string): string {
  const shown = describeValue(text, 100).replace(
    /[^\x20-\x7e]/gu,
    (each) => isFitText(each) ? each : `\\u{${each.codePointAt(0)!.toString(16)}}`,
  );
  return `${text.length} characters: ${shown}`;
}
