/** Verifies JWTs of any kind that this server signed. */

import { type JwtHeader, readUnverifiedHeader, type SigningKey, type VerifiedJwt } from "./jwt.ts";
import type { KeyRing } from "./key_ring.ts";

/** Verifies with the published keys only. A JWT that a removed key signed is not accepted any more. */
export async function verifyIssuedJwt(text: string, keys: KeyRing): Promise<VerifiedJwt | undefined> {
  const header = readUnverifiedHeader(text);
  if (header === undefined) return undefined;
  const key = await keys.findPublished(header) ?? await findNewer(header, keys);
  return await key?.verify(text);
}

/** Another server on this store may have rotated the keys since this one has read them. */
async function findNewer(header: JwtHeader, keys: KeyRing): Promise<SigningKey | undefined> {
  // If the store fails, the JWT is refused as one with an unknown key.
  await keys.reload().catch(() => {});
  return await keys.findPublished(header);
}
