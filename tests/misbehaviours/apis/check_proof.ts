/** Stops at a DPoP proof that is unusual (RFC 9449 §4.2). The API of the test kit has the checks of §4.3. */

import { decodeJwt } from "jose";
import { type Habits, startleIf } from "../clients/habits.ts";

export function checkProof(request: Request, check: { readonly habits: Habits }): void {
  const proof = request.headers.get("dpop");
  if (proof === null || !check.habits.startles) return;
  const claims = decodeJwt(proof);
  startleIf(check, claims["htu"] !== request.url, "another spelling of the URL");
  startleIf(check, Object.keys(claims).length > 5, "more claims");
}
