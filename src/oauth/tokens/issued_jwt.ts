/** JWTs that this server signed itself, of whichever kind. */

import { type VerifiedJwt, verifyJwt } from "../../crypto/jwt.ts";
import type { KeyRing } from "../../crypto/key_ring.ts";

/** By a key that is published: what a retired one signed is nobody's any more. */
export async function verifyIssuedJwt(text: string, keys: KeyRing): Promise<VerifiedJwt | undefined> {
  const published = await keys.published();
  return await verifyJwt(text, (kid, alg) => published.find((key) => key.kid === kid && key.alg === alg));
}
