/** Checks that a token is bound to the certificate of the connection (RFC 8705 §3). */

import { createHash, X509Certificate } from "node:crypto";
import type { JWTPayload } from "jose";
import { type Habits, refuseIf } from "../clients/habits.ts";
import { isObject } from "../clients/json.ts";

/** `shown` is the certificate in PEM. */
export function checkCertificate(
  shown: string,
  { cnf }: JWTPayload,
  check: { readonly habits: Habits },
): void {
  const thumbprint = createHash("sha256").update(new X509Certificate(shown).raw).digest("base64url");
  const bound = isObject(cnf) ? cnf["x5t#S256"] : undefined;
  refuseIf(check, bound !== thumbprint, `the token is bound to the certificate ${bound}`);
}
