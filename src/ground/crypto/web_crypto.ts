/** Signatures by WebCrypto, which every runtime and every browser has. It works in threads, so each takes a promise. */

import { latin1Of } from "../values/octets.ts";

/** The algorithms that the server signs with. */
export type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "EdDSA";

export const signingAlgorithms: readonly SigningAlgorithm[] = ["RS256", "PS256", "ES256", "EdDSA"];

/** The members of a JSON Web Key that are the key itself (RFC 7518 §6). */
export type KeyMaterial = Readonly<Record<string, string>>;

/** Returns the signature of an ASCII text (RFC 7515 §5.1). */
export type Sign = (text: string) => Uint8Array | Promise<Uint8Array>;

/** Tells whether the key has signed this ASCII text (RFC 7515 §5.2). */
export type Verify = (text: string, signature: Uint8Array) => boolean | Promise<boolean>;

/** Imports a public key that a thread of the runtime verifies with. */
export async function createThreadVerifier(
  publicMembers: KeyMaterial,
  alg: SigningAlgorithm,
): Promise<Verify> {
  const key = await crypto.subtle.importKey("jwk", { ...publicMembers }, keyOptions[alg], false, ["verify"]);
  const options = signatureOptions[alg];
  return async (text, signature) =>
    await crypto.subtle.verify(options, key, new Uint8Array(signature), latin1Of(text));
}

/** Returns a public key as a certificate has it: SubjectPublicKeyInfo (RFC 5280 §4.1.2.7). */
export async function exportSpki(
  publicMembers: KeyMaterial,
  alg: SigningAlgorithm,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("jwk", { ...publicMembers }, keyOptions[alg], true, ["verify"]);
  return new Uint8Array(await crypto.subtle.exportKey("spki", key));
}

/** Imports a private key that a thread of the runtime signs with. */
export async function createThreadSigner(material: KeyMaterial, alg: SigningAlgorithm): Promise<Sign> {
  const key = await crypto.subtle.importKey("jwk", { ...material }, keyOptions[alg], false, ["sign"]);
  const options = signatureOptions[alg];
  return async (text) => new Uint8Array(await crypto.subtle.sign(options, key, latin1Of(text)));
}

const hashName = "SHA-256";

/** The parameters of WebCrypto for the keys of each algorithm (RFC 7518 §3.1, RFC 8037 §3.1). */
const keyOptions: Readonly<
  Record<SigningAlgorithm, Partial<RsaHashedImportParams & EcKeyImportParams> & { readonly name: string }>
> = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: hashName },
  PS256: { name: "RSA-PSS", hash: hashName },
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  EdDSA: { name: "Ed25519" },
};

/** The parameters of WebCrypto for the signatures of each algorithm. */
const signatureOptions: Readonly<Record<SigningAlgorithm, Algorithm | RsaPssParams | EcdsaParams>> = {
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  PS256: { name: "RSA-PSS", saltLength: 32 },
  ES256: { name: "ECDSA", hash: hashName },
  EdDSA: { name: "Ed25519" },
};

/** Generates a private key. It may have more members than its material. */
export async function generateKey(alg: SigningAlgorithm): Promise<Readonly<Record<string, unknown>>> {
  const options = { ...keyOptions[alg], modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };
  const pair = await crypto.subtle.generateKey(options, true, ["sign", "verify"]) as CryptoKeyPair;
  return { ...await crypto.subtle.exportKey("jwk", pair.privateKey) };
}
