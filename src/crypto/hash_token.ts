/** Computes the `at_hash` of an ID token: the hash of the access token (OpenID Connect Core §3.1.3.6). */

import { createHash } from "node:crypto";
import { toBase64url } from "./bytes.ts";
import type { SigningAlgorithm } from "./jwk.ts";

/** Returns the left half of the digest. The algorithm of the ID token's signature chooses the hash function. */
export function hashToken(text: string, alg: SigningAlgorithm): string {
  const digest = createHash(alg === "EdDSA" ? "sha512" : "sha256").update(text).digest();
  return toBase64url(digest.subarray(0, digest.length / 2));
}
