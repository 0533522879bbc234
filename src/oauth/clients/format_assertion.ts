/** Writes the parameters of a client that authenticates with an assertion (RFC 7523 §2.2). */

import type { Members } from "../members.ts";
import type { Pair } from "../../http/form.ts";
import { assertionType } from "./client_assertion.ts";

export interface AssertionTerms {
  readonly clientId: string;
  readonly issuer: string;
  /** A value that the client uses once. */
  readonly jti: string;
  /** The time of the client, in seconds. */
  readonly now: number;
  /** Signs the claims, and resolves to the JWT. */
  sign(claims: Members): string | Promise<string>;
}

// Seconds. An assertion has a short lifetime (RFC 7523 §3).
const lifetime = 60;

export async function formatAssertion(
  { clientId, issuer, jti, now, sign }: AssertionTerms,
): Promise<readonly Pair[]> {
  const issuedAt = Math.floor(now);
  // RFC 10070 §4: the issuer is the only audience.
  const claims = { iss: clientId, sub: clientId, aud: issuer, jti, iat: issuedAt, exp: issuedAt + lifetime };
  return [
    ["client_id", clientId],
    ["client_assertion_type", assertionType],
    ["client_assertion", await sign(claims)],
  ];
}
