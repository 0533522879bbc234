/** Verifies JWTs of any kind that this server signed. */

import { type VerifiedJwt, verifyJwt } from "../../crypto/jwt.ts";
import type { KeyRing } from "../../crypto/key_ring.ts";

/** Verifies with the published keys only. A JWT that a removed key signed is not accepted any more. */
export async function verifyIssuedJwt(text: string, keys: KeyRing): Promise<VerifiedJwt | undefined> {
  const published = await keys.published();
  return await verifyJwt(text, (kid, alg) => published.find((key) => key.kid === kid && key.alg === alg));
}
