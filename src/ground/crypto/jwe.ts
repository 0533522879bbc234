/** Encrypts text to the public key of another party, and decrypts it with the private key (RFC 7516). */

import type { CompactJWEHeaderParameters } from "jose";
import { present } from "../values/present.ts";
import { loadJose } from "./jose.ts";
import { encryptsWith, type Jwk, materialOf, publicMembersOf } from "./jwk.ts";

/** An algorithm that encrypts the key of the content (RFC 7518 §4.1). */
export type KeyEncryption = "RSA-OAEP-256" | "ECDH-ES";
/** An algorithm that encrypts the content (RFC 7518 §5.1). */
export type ContentEncryption = "A128CBC-HS256" | "A128GCM" | "A256GCM";

export interface EncryptOptions {
  /** A key for which `encryptsWith` returns an algorithm. */
  readonly jwk: Jwk;
  readonly enc: ContentEncryption;
  /** "JWT" if the text is a JWT (RFC 7519 §5.2). */
  readonly cty?: string;
  /** Compresses the text before its encryption, with DEFLATE (RFC 7516 §4.1.3). */
  readonly zip?: "DEF";
}

export async function encryptJwe(text: string, { jwk, ...more }: EncryptOptions): Promise<string> {
  return await encrypt(text, { alg: `${encryptsWith(jwk)}`, ...more, ...present({ kid: jwk.kid }) }, jwk);
}

/** Encrypts text as `encrypted` is, to the same key. */
export async function encryptLike(encrypted: string, text: string, jwk: Jwk): Promise<string> {
  const { decodeProtectedHeader } = await loadJose();
  // The ephemeral key of ECDH-ES is another one for each text.
  const { epk: _epk, ...header } = decodeProtectedHeader(encrypted);
  return await encrypt(text, header as CompactJWEHeaderParameters, jwk);
}

async function encrypt(text: string, header: CompactJWEHeaderParameters, jwk: Jwk): Promise<string> {
  const { CompactEncrypt } = await loadJose();
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader(header)
    .encrypt({ ...publicMembersOf(jwk), kty: `${jwk.kty}` });
}

/** Returns `undefined` if the text is not encrypted to the key, or if the key is no private key. */
export async function decryptJwe(text: string, jwk: Jwk): Promise<string | undefined> {
  const { compactDecrypt } = await loadJose();
  try {
    const { plaintext } = await compactDecrypt(text, { ...materialOf(jwk), kty: `${jwk.kty}` });
    return new TextDecoder().decode(plaintext);
  } catch {
    return undefined;
  }
}
