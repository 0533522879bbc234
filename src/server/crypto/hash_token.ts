/** Computes the `at_hash` of an ID token: the hash of the access token (OpenID Connect Core §3.1.3.6). */

import { toBase64url } from "./bytes.ts";
import { digest, type SigningAlgorithm } from "./platform.ts";

/** Returns the left half of the digest. The algorithm of the ID token's signature chooses the hash function. */
export function hashToken(text: string, alg: SigningAlgorithm): string {
  const octets = digest(alg === "EdDSA" ? "sha512" : "sha256", text);
  return toBase64url(octets.subarray(0, octets.length / 2));
}
