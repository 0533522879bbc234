/** Cryptography of the runtime: hashes, comparison in constant time, password hashes and signatures. */

import { Buffer } from "node:buffer";
import {
  checkPrimeSync,
  constants,
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  type KeyObject,
  scrypt as startScrypt,
  scryptSync,
  sign,
  type SigningOptions,
  timingSafeEqual,
  verify,
} from "node:crypto";
import {
  createThreadSigner,
  createThreadVerifier,
  type KeyMaterial,
  type Sign,
  type SigningAlgorithm,
  type Verify,
} from "./web_crypto.ts";

export * from "./web_crypto.ts";

export function digest(algorithm: "sha256" | "sha512", text: string): Uint8Array {
  return hash(algorithm, text, "buffer");
}

export function sha256(text: string): string {
  return hash("sha256", text, "base64url");
}

/** Returns the SHA-256 thumbprint of a certificate in DER: its `x5t#S256` (RFC 7515 §4.1.8). */
export function certificateThumbprint(der: Uint8Array): string {
  return hash("sha256", der, "base64url");
}

export function hmacSha256(key: string | Uint8Array, text: string, octets = 32): string {
  return createHmac("sha256", key).update(text).digest().toString("base64url", 0, octets);
}

export function hmacOctets(key: string | Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}

/** Compares digests in constant time. Do not pass secrets, because the time would reveal whether the lengths differ. */
export function sameDigest(left: string, right: string): boolean {
  const one = Buffer.from(left);
  const other = Buffer.from(right);
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The cost has the names of RFC 7914 §2. */
export interface ScryptOptions {
  readonly salt: Uint8Array;
  /** In octets. */
  readonly length: number;
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Derives a key in a thread of the runtime (RFC 7914). */
export function scrypt(password: string, { salt, length, ...cost }: ScryptOptions): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    startScrypt(password, salt, length, cost, (error, key) => {
      // On success the error is null, in Bun undefined.
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** Derives the same key, and blocks the process. */
export function scryptAtOnce(password: string, { salt, length, ...cost }: ScryptOptions): Uint8Array {
  return scryptSync(password, salt, length, cost);
}

/** The parameters of AES-256-GCM. The additional data is authenticated, but not encrypted. */
export interface CipherOptions {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly additionalData: Uint8Array;
}

const cipher = "aes-256-gcm";
const tagLength = 16;

/** Encrypts octets. The tag of authentication follows them (NIST SP 800-38D). */
export function encryptOctets(
  octets: Uint8Array,
  { key, nonce, additionalData }: CipherOptions,
): Uint8Array | Promise<Uint8Array> {
  const encrypting = createCipheriv(cipher, key, nonce);
  encrypting.setAAD(additionalData);
  return Buffer.concat([encrypting.update(octets), encrypting.final(), encrypting.getAuthTag()]);
}

/** Decrypts octets that end in their tag. Throws, or rejects, if they or the additional data were changed. */
export function decryptOctets(
  octets: Uint8Array,
  { key, nonce, additionalData }: CipherOptions,
): Uint8Array | Promise<Uint8Array> {
  const decrypting = createDecipheriv(cipher, key, nonce, { authTagLength: tagLength });
  decrypting.setAAD(additionalData);
  decrypting.setAuthTag(octets.subarray(-tagLength));
  return Buffer.concat([decrypting.update(octets.subarray(0, -tagLength)), decrypting.final()]);
}

/** A signature that takes less than 100 µs is computed at once, because a thread would take as long again. */
export async function importSigner(
  material: KeyMaterial,
  publicMembers: KeyMaterial,
  alg: SigningAlgorithm,
): Promise<Sign> {
  // Measured: ES256 takes 32 µs on Node, 23 µs on Bun and 500 µs on Deno; EdDSA takes 16 to 47 µs; RSA takes 260 µs or more.
  return alg === "EdDSA" || alg === "ES256" && !isDeno()
    ? createQuickSigner(material, publicMembers, alg)
    : await createThreadSigner(material, alg);
}

export function isDeno(): boolean {
  return globalThis.navigator?.userAgent.startsWith("Deno/") ?? false;
}

/** Throws if the members are no public key. */
export function requirePublicKey(publicMembers: Readonly<Record<string, unknown>>): void {
  createPublicKey({ key: publicMembers as Record<string, string>, format: "jwk" });
}

/** Throws if a private key is not complete, or if its members do not belong together. */
export function requireWholeKey(material: KeyMaterial, publicMembers: KeyMaterial): void {
  importPrivateKey(material, publicMembers);
}

/** Verifies a signature of the key with its public members, because runtimes import some keys that are not whole. */
function importPrivateKey(material: KeyMaterial, publicMembers: KeyMaterial): KeyObject {
  const privateKey = createPrivateKey({ key: material, format: "jwk" });
  // The public half of the private key would not do: for EdDSA, it is computed from the private member alone.
  const publicKey = createPublicKey({ key: publicMembers, format: "jwk" });
  const digestName = digestNameOf(publicMembers);
  const probe = Buffer.from("a text to sign");
  if (!verify(digestName, probe, publicKey, sign(digestName, probe, privateKey))) {
    throw new TypeError("The members of the signing key do not belong together");
  }
  return privateKey;
}

function createQuickSigner(
  material: KeyMaterial,
  publicMembers: KeyMaterial,
  alg: "EdDSA" | "ES256",
): Sign {
  const options = { key: importPrivateKey(material, publicMembers), ...quickOptions[alg] };
  const digestName = digestNameOf(publicMembers);
  return (text) => sign(digestName, Buffer.from(text, "latin1"), options);
}

/** Imports a public key. It is verified with at once, except for ES256 on Deno, where a thread takes less time. */
export async function importVerifier(publicMembers: KeyMaterial, alg: SigningAlgorithm): Promise<Verify> {
  // Measured: ES256 takes 65 µs on Node, 53 µs on Bun and 490 µs on Deno; RSA takes 15 to 130 µs.
  return alg === "ES256" && isDeno()
    ? await createThreadVerifier(publicMembers, alg)
    : createQuickVerifier(publicMembers, alg);
}

function createQuickVerifier(publicMembers: KeyMaterial, alg: SigningAlgorithm): Verify {
  const options = { key: createPublicKey({ key: publicMembers, format: "jwk" }), ...quickOptions[alg] };
  const digestName = digestNameOf(publicMembers);
  const { n } = publicMembers;
  // RFC 8017 §8.1.2: OpenSSL also takes a PSS signature without its leading zeros.
  const length = n === undefined ? undefined : Buffer.from(n, "base64url").length;
  return (text, signature) =>
    (length === undefined || signature.length === length) &&
    verify(digestName, Buffer.from(text, "latin1"), options, signature);
}

/** Ed25519 hashes the text itself. */
function digestNameOf({ kty }: KeyMaterial): "sha256" | null {
  return kty === "OKP" ? null : "sha256";
}

/** The parameters of the synchronous functions for the signatures of each algorithm. */
const quickOptions: Readonly<Record<SigningAlgorithm, SigningOptions>> = {
  RS256: {},
  PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  // RFC 7518 §3.4: R and S, each with its full length.
  ES256: { dsaEncoding: "ieee-p1363" },
  EdDSA: {},
};

/** Computes the public members of the private key `d`. For test keys only. */
export function derivePublicMembers(crv: "P-256" | "Ed25519", d: Uint8Array): KeyMaterial {
  if (crv === "P-256") {
    const exchange = createECDH("prime256v1");
    exchange.setPrivateKey(d);
    // An uncompressed point: the octet 4, then x and y.
    const point = exchange.getPublicKey();
    return { x: point.toString("base64url", 1, 33), y: point.toString("base64url", 33) };
  }
  const key = createPrivateKey({ key: Buffer.concat([okpPrefix, d]), format: "der", type: "pkcs8" });
  return { x: `${key.export({ format: "jwk" }).x}` };
}

// The beginning of a PKCS #8 document with an Ed25519 private key, which is the last 32 octets (RFC 8410 §7).
const okpPrefix = Buffer.from("MC4CAQAwBQYDK2VwBCIEIA", "base64url");

/** For test keys only: the time of the check tells about the number. */
export function isPrime(candidate: bigint): boolean {
  return checkPrimeSync(candidate);
}
