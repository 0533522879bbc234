/** Cryptography of a web page: WebCrypto signs, verifies and encrypts; `@noble/hashes` hashes without a promise. */

import { hmac } from "@noble/hashes/hmac.js";
import { scrypt as deriveAtOnce, scryptAsync } from "@noble/hashes/scrypt.js";
import { sha256 as sha256Octets, sha512 } from "@noble/hashes/sha2.js";
import { decodeOctets, encodeOctets, utf8Of } from "../values/octets.ts";
import { derivePublicMembers, isPrime, isWholeRsa, requirePoint } from "./key_numbers_browser.ts";
import type { CipherOptions, ScryptOptions } from "./platform.ts";
import {
  createThreadSigner,
  createThreadVerifier,
  type KeyMaterial,
  type Sign,
  type SigningAlgorithm,
} from "./web_crypto.ts";

export * from "./web_crypto.ts";
export { derivePublicMembers, isPrime };

export function digest(algorithm: "sha256" | "sha512", text: string): Uint8Array {
  return algorithm === "sha256" ? sha256Octets(utf8Of(text)) : sha512(utf8Of(text));
}

export function sha256(text: string): string {
  return encodeOctets(digest("sha256", text), "base64url");
}

export function certificateThumbprint(der: Uint8Array): string {
  return encodeOctets(sha256Octets(der), "base64url");
}

export function hmacOctets(key: string | Uint8Array, text: string): Uint8Array {
  return hmac(sha256Octets, typeof key === "string" ? utf8Of(key) : key, utf8Of(text));
}

export function hmacSha256(key: string | Uint8Array, text: string, octets = 32): string {
  return encodeOctets(hmacOctets(key, text), "base64url", 0, octets);
}

/** Compares all characters, so that the time does not tell where two texts differ. */
export function sameDigest(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}

export function scrypt(password: string, options: ScryptOptions): Promise<Uint8Array> {
  return scryptAsync(utf8Of(password), options.salt, scryptCost(options));
}

export function scryptAtOnce(password: string, options: ScryptOptions): Uint8Array {
  return deriveAtOnce(utf8Of(password), options.salt, scryptCost(options));
}

function scryptCost({ N, r, p, length }: ScryptOptions) {
  return { N, r, p, dkLen: length };
}

export async function encryptOctets(octets: Uint8Array, options: CipherOptions): Promise<Uint8Array> {
  const { key, parameters } = await importCipherKey(options);
  return new Uint8Array(await crypto.subtle.encrypt(parameters, key, new Uint8Array(octets)));
}

export async function decryptOctets(octets: Uint8Array, options: CipherOptions): Promise<Uint8Array> {
  const { key, parameters } = await importCipherKey(options);
  return new Uint8Array(await crypto.subtle.decrypt(parameters, key, new Uint8Array(octets)));
}

async function importCipherKey({ key, nonce, additionalData }: CipherOptions) {
  const name = "AES-GCM";
  return {
    key: await crypto.subtle.importKey("raw", new Uint8Array(key), name, false, ["encrypt", "decrypt"]),
    parameters: { name, iv: new Uint8Array(nonce), additionalData: new Uint8Array(additionalData) },
  };
}

export function isDeno(): boolean {
  return false;
}

export function requirePublicKey(publicMembers: Readonly<Record<string, unknown>>): void {
  if (publicMembers["kty"] === "EC") requirePoint(`${publicMembers["x"]}`, `${publicMembers["y"]}`);
}

export function requireWholeKey(material: KeyMaterial, publicMembers: KeyMaterial): void {
  requirePublicKey(publicMembers);
  if (!isWhole(material, publicMembers)) {
    throw new TypeError("The members of the signing key do not belong together");
  }
}

function isWhole(material: KeyMaterial, publicMembers: KeyMaterial): boolean {
  const { kty } = publicMembers;
  if (kty === "RSA") return isWholeRsa(material);
  const d = decodeOctets(`${material["d"]}`, "base64url");
  const derived = derivePublicMembers(kty === "EC" ? "P-256" : "Ed25519", d);
  return Object.entries(derived).every(([name, value]) => publicMembers[name] === value);
}

export async function importSigner(
  material: KeyMaterial,
  publicMembers: KeyMaterial,
  alg: SigningAlgorithm,
): Promise<Sign> {
  requireWholeKey(material, publicMembers);
  return await createThreadSigner(material, alg);
}

export const importVerifier: typeof createThreadVerifier = createThreadVerifier;
