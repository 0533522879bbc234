/** Cryptography of the runtime: hashes, comparison in constant time, password hashes and signatures. */

import { Buffer } from "node:buffer";
import {
  constants,
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

/** Compares digests in constant time. Do not pass secrets, because the time would reveal whether the lengths differ. */
export function sameDigest(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
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

/** The algorithms that the server signs with. */
export type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "EdDSA";

export const signingAlgorithms: readonly SigningAlgorithm[] = ["RS256", "PS256", "ES256", "EdDSA"];

/** The members of a JSON Web Key that are the key itself (RFC 7518 §6). */
export type KeyMaterial = Readonly<Record<string, string>>;

/** Returns the signature of an ASCII text (RFC 7515 §5.1). */
export type Sign = (text: string) => Uint8Array | Promise<Uint8Array>;

/** Tells whether the key has signed this ASCII text (RFC 7515 §5.2). */
export type Verify = (text: string, signature: Uint8Array) => boolean | Promise<boolean>;

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

async function createThreadVerifier(publicMembers: KeyMaterial, alg: ThreadAlgorithm): Promise<Verify> {
  const key = await crypto.subtle.importKey("jwk", publicMembers, keyOptions[alg], false, ["verify"]);
  const options = signatureOptions[alg];
  return async (text, signature) =>
    await crypto.subtle.verify(options, key, new Uint8Array(signature), Buffer.from(text, "latin1"));
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

/** The algorithms that some runtime signs with in a thread. */
type ThreadAlgorithm = Exclude<SigningAlgorithm, "EdDSA">;

async function createThreadSigner(material: KeyMaterial, alg: ThreadAlgorithm): Promise<Sign> {
  const key = await crypto.subtle.importKey("jwk", material, keyOptions[alg], false, ["sign"]);
  const options = signatureOptions[alg];
  return async (text) => new Uint8Array(await crypto.subtle.sign(options, key, Buffer.from(text, "latin1")));
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
const signatureOptions: Readonly<Record<ThreadAlgorithm, Algorithm | RsaPssParams | EcdsaParams>> = {
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  PS256: { name: "RSA-PSS", saltLength: 32 },
  ES256: { name: "ECDSA", hash: hashName },
};

/** Generates a private key. It may have more members than its material. */
export async function generateKey(alg: SigningAlgorithm): Promise<Readonly<Record<string, unknown>>> {
  const options = { ...keyOptions[alg], modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };
  const pair = await crypto.subtle.generateKey(options, true, ["sign", "verify"]) as CryptoKeyPair;
  return { ...await crypto.subtle.exportKey("jwk", pair.privateKey) };
}
