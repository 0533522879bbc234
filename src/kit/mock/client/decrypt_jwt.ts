/** Decrypts a JWT as the client that received it (OpenID Connect Core §10.2, JARM §2.4). */

import { decryptJwe } from "../../../ground/crypto/jwe.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { isEncryptedJwt } from "../../../ground/crypto/jwt_parts.ts";

/** Returns the text itself if it is not encrypted, or if the key does not decrypt it. */
export async function decryptJwt(text: string, key: Jwk | undefined): Promise<string> {
  return key !== undefined && isEncryptedJwt(text) ? await decryptJwe(text, key) ?? text : text;
}
