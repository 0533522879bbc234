/** Checks that a token is bound to the certificate of the connection (RFC 8705 §3). */

import { createHash, X509Certificate } from "node:crypto";
import type { JWTPayload } from "jose";
import { type Habits, refuseIf } from "../clients/habits.ts";
import { isObject } from "../clients/json.ts";

/** Returns the thumbprint of the certificate to which a token is bound. */
export function boundCertificateOf({ cnf }: JWTPayload): unknown {
  return isObject(cnf) ? cnf["x5t#S256"] : undefined;
}

/** `shown` is the certificate of the connection in PEM, if it has one. */
export function checkCertificate(
  shown: string | undefined,
  claims: JWTPayload,
  check: { readonly habits: Habits },
): void {
  const bound = boundCertificateOf(claims);
  refuseIf(check, bound !== thumbprintOf(shown), `the token is bound to the certificate ${bound}`);
}

function thumbprintOf(certificate: string | undefined): string | undefined {
  if (certificate === undefined) return undefined;
  return createHash("sha256").update(new X509Certificate(certificate).raw).digest("base64url");
}
