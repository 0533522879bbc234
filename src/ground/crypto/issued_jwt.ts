/** Verifies JWTs of any kind that this server signed. */

import { fromBase64url } from "./bytes.ts";
import {
  type JwtHeader,
  readClaims,
  readUnverifiedHeader,
  type SigningKey,
  type VerifiedJwt,
} from "./jwt.ts";
import type { KeyRing } from "./key_ring.ts";

/** Verifies with the published keys only. A JWT that a removed key signed is not accepted any more. */
export async function verifyIssuedJwt(text: string, keys: KeyRing): Promise<VerifiedJwt | undefined> {
  const header = readUnverifiedHeader(text);
  // RFC 7515 §4.1.11: a JWT with an extension is not valid for a reader that knows no extension.
  if (header === undefined || header.crit !== undefined) return undefined;
  const key = await keys.findPublished(header) ?? await findNewer(header, keys);
  if (key === undefined || !await isSignedBy(key, text)) return undefined;
  const claims = readClaims(text);
  return claims && { typ: header.typ, alg: key.alg, claims };
}

async function isSignedBy({ verify }: SigningKey, text: string): Promise<boolean> {
  const end = text.lastIndexOf(".");
  return await verify(text.slice(0, end), fromBase64url(text.slice(end + 1)));
}

/** Another server on this store may have rotated the keys since this one has read them. */
async function findNewer(header: JwtHeader, keys: KeyRing): Promise<SigningKey | undefined> {
  // If the store fails, the JWT is refused as one with an unknown key.
  await keys.reload().catch(() => {});
  return await keys.findPublished(header);
}
