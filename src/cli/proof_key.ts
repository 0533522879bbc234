/** The key of `postern token --dpop`, and its proofs (RFC 9449). */

import { createRandomBytes, randomText, sha256 } from "../crypto/bytes.ts";
import { generateSigningJwk } from "../crypto/crypto_key.ts";
import { signingAlgorithms } from "../crypto/jwk.ts";
import { importSigningKey, type SigningKey, signWithHeader } from "../crypto/jwt.ts";

/** Creates a key for the first of these algorithms that the command can use. `undefined`: it can use none. */
export async function createProofKey(supported: unknown): Promise<SigningKey | undefined> {
  if (!Array.isArray(supported)) return undefined;
  // A key of ES256 is small, and quick to create.
  const alg = ["ES256" as const, ...signingAlgorithms].find((each) => supported.includes(each));
  return alg && await importSigningKey(await generateSigningJwk(alg), alg);
}

export interface ProofTerms {
  readonly method: string;
  readonly url: string;
  readonly accessToken?: string;
  readonly nonce?: string;
}

/** Signs a proof for one request (RFC 9449 §4.2). */
export async function createProof(
  key: SigningKey,
  { method, url, accessToken, nonce }: ProofTerms,
): Promise<string> {
  const { kid: _kid, alg: _alg, use: _use, ...jwk } = key.publicJwk;
  return await signWithHeader(key, { typ: "dpop+jwt", alg: key.alg, jwk }, {
    jti: randomText(createRandomBytes(), 16),
    htm: method,
    htu: url.replace(/[?#].*$/s, ""),
    iat: Math.floor(Date.now() / 1000),
    ...(accessToken === undefined ? {} : { ath: sha256(accessToken) }),
    ...(nonce === undefined ? {} : { nonce }),
  });
}
