/** Generates WebCrypto keys, and imports them from JWKs (RFC 7517, 7518; RFC 8037). */

import type { Jwk, SigningAlgorithm } from "./jwk.ts";

type KeyTerms = RsaHashedImportParams & EcKeyImportParams;

const sha256 = "SHA-256";

/** The parameters of WebCrypto for each algorithm. */
const keyTerms: Readonly<Record<SigningAlgorithm, Partial<KeyTerms> & { readonly name: string }>> = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: sha256 },
  PS256: { name: "RSA-PSS", hash: sha256 },
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  EdDSA: { name: "Ed25519" },
};

/** The members of a JWK that are imported. Platforms treat other members, such as `alg` and `key_ops`, differently. */
const materialMembers = ["kty", "crv", "x", "y", "n", "e", "d", "p", "q", "dp", "dq", "qi"] as const;

export async function importPrivateKey(jwk: Jwk, alg: SigningAlgorithm): Promise<CryptoKey> {
  const material: Record<string, unknown> = {};
  for (const name of materialMembers) {
    if (jwk[name] !== undefined) material[name] = jwk[name];
  }
  return await crypto.subtle.importKey("jwk", material, keyTerms[alg], false, ["sign"]);
}

export async function generateSigningJwk(alg: SigningAlgorithm): Promise<Jwk> {
  const terms = { ...keyTerms[alg], modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };
  const pair = await crypto.subtle.generateKey(terms, true, ["sign", "verify"]) as CryptoKeyPair;
  // These members are removed, because platforms set them differently.
  const { key_ops: _keyOps, ext: _ext, alg: _alg, ...jwk } = await crypto.subtle.exportKey(
    "jwk",
    pair.privateKey,
  );
  return jwk;
}
