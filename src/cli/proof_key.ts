/** The key of `postern token --dpop` (RFC 9449). */

import type { DpopKey } from "../client/dpop_key.ts";
import { generateSigningJwk } from "../crypto/crypto_key.ts";
import { signingAlgorithms } from "../crypto/jwk.ts";
import { importSigningKey } from "../crypto/jwt.ts";

/** Creates a key for the first of these algorithms that the command can use. `undefined`: it can use none. */
export async function createProofKey(supported: unknown): Promise<DpopKey | undefined> {
  if (!Array.isArray(supported)) return undefined;
  // A key of ES256 is small, and quick to create.
  const alg = ["ES256" as const, ...signingAlgorithms].find((each) => supported.includes(each));
  if (alg === undefined) return undefined;
  return { key: await importSigningKey(await generateSigningJwk(alg), alg), nonces: new Map() };
}
