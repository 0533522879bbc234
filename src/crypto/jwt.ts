/** JSON Web Tokens: making keys and signing (RFC 7515, 7519). The only file that knows jose. */

import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import { type PublicJwk, publicJwk, type SigningAlgorithm } from "./jwk.ts";

export interface SigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly privateKey: CryptoKey;
  readonly publicJwk: PublicJwk;
}

export async function generateSigningJwk(alg: SigningAlgorithm): Promise<JsonWebKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
  return await exportJWK(privateKey);
}

/** The key id is the RFC 7638 thumbprint: the same key has the same name everywhere. */
export async function importSigningKey(jwk: JsonWebKey, alg: SigningAlgorithm): Promise<SigningKey> {
  const kid = await calculateJwkThumbprint(jwk as Parameters<typeof calculateJwkThumbprint>[0]);
  const privateKey = await importJWK({ ...jwk, alg } as Parameters<typeof importJWK>[0], alg) as CryptoKey;
  return { kid, alg, privateKey, publicJwk: publicJwk(jwk, kid, alg) };
}

export function signJwt(
  key: SigningKey,
  typ: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: key.alg, typ, kid: key.kid }).sign(
    key.privateKey,
  );
}
