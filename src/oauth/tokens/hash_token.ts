/** The hash of a token that an ID token names as `at_hash` (OpenID Connect Core §3.1.3.6). */

import { createHash } from "node:crypto";
import { toBase64url } from "../../crypto/bytes.ts";
import type { SigningAlgorithm } from "../../crypto/jwk.ts";

/** Returns the left half of the token's digest, by the hash function of the ID token's algorithm `alg`. */
export function hashToken(text: string, alg: SigningAlgorithm): string {
  const digest = createHash(alg === "EdDSA" ? "sha512" : "sha256").update(text).digest();
  return toBase64url(digest.subarray(0, digest.length / 2));
}
