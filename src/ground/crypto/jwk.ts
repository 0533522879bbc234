/** JSON Web Keys: their public members, their algorithms, and checks whether they can sign or verify (RFC 7517, 7518). */

import { fromBase64url } from "./bytes.ts";
import {
  generateKey,
  type KeyMaterial,
  requirePublicKey,
  requireWholeKey,
  sha256,
  type SigningAlgorithm,
  signingAlgorithms,
} from "./platform.ts";

/** A JSON Web Key (RFC 7517 §4), private or public. Not `JsonWebKey`: some compilers do not declare that type. */
export interface Jwk {
  readonly kty?: string;
  readonly kid?: string;
  readonly alg?: string;
  readonly use?: string;
  readonly key_ops?: string[];
  readonly ext?: boolean;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
  readonly d?: string;
  readonly p?: string;
  readonly q?: string;
  readonly dp?: string;
  readonly dq?: string;
  readonly qi?: string;
  readonly k?: string;
}

/** The members that are the key itself. Platforms treat others, such as `alg` and `key_ops`, differently. */
const materialMembers = ["kty", "crv", "x", "y", "n", "e", "d", "p", "q", "dp", "dq", "qi"] as const;

export function materialOf(jwk: Jwk): KeyMaterial {
  return Object.fromEntries(
    materialMembers.flatMap((name) => jwk[name] === undefined ? [] : [[name, jwk[name]]]),
  );
}

/** RFC 7638 §3.2: the members that identify a key. They are also all of its public members, in alphabetical order. */
const publicMembers = {
  RSA: ["e", "kty", "n"],
  EC: ["crv", "kty", "x", "y"],
  OKP: ["crv", "kty", "x"],
} as const;

export async function generateSigningJwk(alg: SigningAlgorithm): Promise<Jwk> {
  return materialOf(await generateKey(alg));
}

/** Returns the thumbprint of a key: the hash of its public members as JSON without spaces (RFC 7638 §3). */
export function thumbprint(jwk: Jwk): string {
  return sha256(JSON.stringify(publicMembersOf(jwk)));
}

export function publicMembersOf(jwk: Jwk): KeyMaterial {
  const names = publicMembers[jwk.kty as keyof typeof publicMembers];
  return Object.fromEntries(names.map((name) => [name, String(jwk[name])]));
}

/** The public half of a signing key, as the JWKS contains it. */
export interface PublicJwk {
  readonly kty: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: "sig";
  readonly [member: string]: string;
}

/** Returns only members of an allow-list, so that no private member is ever published. */
export function publicJwk(jwk: Jwk, kid: string, alg: string): PublicJwk {
  return Object.freeze({ ...publicMembersOf(jwk), kty: String(jwk.kty), kid, alg, use: "sig" });
}

/** Returns a key's `alg`, or else the algorithm of its key type. For RSA, `preferred` chooses between two. */
export function signsWith(
  { alg, kty }: Jwk,
  preferred: SigningAlgorithm,
): SigningAlgorithm | undefined {
  if (alg !== undefined) return findAlgorithm(alg);
  if (kty === "RSA") return preferred === "PS256" ? "PS256" : "RS256";
  return kty === "EC" ? "ES256" : kty === "OKP" ? "EdDSA" : undefined;
}

/** RFC 9864 §2.2: `Ed25519` is another name for EdDSA with that curve. */
function findAlgorithm(name: string): SigningAlgorithm | undefined {
  return signingAlgorithms.find((each) => each === (name === "Ed25519" ? "EdDSA" : name));
}

const keyTypes: Readonly<Record<SigningAlgorithm, Pick<Jwk, "kty" | "crv">>> = {
  RS256: { kty: "RSA" },
  PS256: { kty: "RSA" },
  ES256: { kty: "EC", crv: "P-256" },
  EdDSA: { kty: "OKP", crv: "Ed25519" },
};

function isOfType({ kty, crv }: Jwk, alg: SigningAlgorithm): boolean {
  const type = keyTypes[alg];
  return kty === type.kty && (type.crv === undefined || crv === type.crv);
}

/** Returns the algorithms that a public key verifies: its `alg`, or else all of its type (RFC 8725 §3.1). */
export function verifiesWith(jwk: Jwk): readonly SigningAlgorithm[] {
  if (!isFor("verify", jwk)) return [];
  const fit = signingAlgorithms.filter((alg) => isOfType(jwk, alg));
  if (jwk.alg === undefined) return fit;
  const only = findAlgorithm(jwk.alg);
  return fit.filter((alg) => alg === only);
}

/** The members that only the owner of a key may know (RFC 7518 §6.2.2, §6.3.2, §6.4, and RFC 9964 for keys "AKP"). */
export const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"] as const;

/** The algorithm of a public key that others encrypt with, which its `use` must say. `undefined`: it is no such key. */
export function encryptsWith({ kty, crv, alg, use }: Jwk): "RSA-OAEP-256" | "ECDH-ES" | undefined {
  const fit = kty === "RSA" ? "RSA-OAEP-256" : kty === "EC" && crv === "P-256" ? "ECDH-ES" : undefined;
  return use === "enc" && (alg ?? fit) === fit ? fit : undefined;
}

/** What `isVerifyingKey` and `isKnownKey` accept. */
export const publicKeyText =
  "a public RSA key of 2048 bits or more, or one on P-256 or Ed25519, without any private member";

export function isVerifyingKey(jwk: Jwk): boolean {
  return verifiesWith(jwk).length > 0 && isWholePublicKey(jwk);
}

/** Whether the server can verify or encrypt with this key of another party. */
export function isUsefulKey(jwk: Jwk): boolean {
  return (verifiesWith(jwk).length > 0 || encryptsWith(jwk) !== undefined) && isWholePublicKey(jwk);
}

/** Whether the JWK is a public key of a type that the server has. It may be for another use or algorithm. */
export function isKnownKey({ use: _use, key_ops: _operations, alg: _alg, ...jwk }: Jwk): boolean {
  return isVerifyingKey(jwk);
}

function isWholePublicKey(jwk: Jwk): boolean {
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) return false;
  if (findMalformedMember(jwk) !== undefined || isShortRsa(jwk)) return false;
  try {
    requirePublicKey(jwk as Readonly<Record<string, unknown>>);
    return true;
  } catch {
    return false;
  }
}

/** RFC 7517 §4.2, §4.3: `use` and `key_ops` limit the uses of a key. */
function isFor(operation: "sign" | "verify", { use, key_ops: operations }: Jwk): boolean {
  return (use === undefined || use === "sig") &&
    (operations === undefined || Array.isArray(operations) && operations.includes(operation));
}

/** Finds a member that is missing or not base64url (RFC 7518 §6). Decoders could read such text as another number. */
function findMalformedMember(jwk: Jwk): string | undefined {
  const needed: readonly string[] = publicMembers[jwk.kty as keyof typeof publicMembers] ?? [];
  return materialMembers.find((name) => {
    const value: unknown = jwk[name];
    if (value === undefined) return needed.includes(name);
    return typeof value !== "string" || !/^[\w-]+$/.test(value);
  });
}

/** Whether the modulus has fewer than 2048 bits (RFC 7518 §3.3). Leading zeros do not count. */
function isShortRsa({ kty, n = "" }: Jwk): boolean {
  if (kty !== "RSA") return false;
  const octets = fromBase64url(n);
  const first = octets.findIndex((octet) => octet !== 0);
  return first === -1 || (octets.byteLength - first) * 8 - (Math.clz32(octets[first]!) - 24) < 2048;
}

/** Returns why the key cannot sign with `alg`, or `undefined` if it can. */
export function unfitForSigning(jwk: Jwk, alg: SigningAlgorithm): string | undefined {
  if (!isOfType(jwk, alg)) {
    const { kty, crv } = keyTypes[alg];
    return `${alg} needs a key with kty "${kty}"${crv === undefined ? "" : ` and crv "${crv}"`}`;
  }
  if (jwk.d === undefined) return "a signing key needs its private member d";
  if (!isFor("sign", jwk)) return "its use or key_ops does not allow signing";
  const malformed = findMalformedMember(jwk);
  if (malformed !== undefined) return `its member ${malformed} must be a string in base64url, and not empty`;
  if (isShortRsa(jwk)) return `${alg} needs an RSA key of 2048 bits or more`;
  return isWhole(jwk)
    ? undefined
    : "the key is not complete: a member is missing, or its members do not belong together";
}

/** Frozen keys that were whole. The proof takes as long as a signature, and many servers may have the same key. */
const wholeKeys = new WeakSet<Jwk>();

function isWhole(jwk: Jwk): boolean {
  if (wholeKeys.has(jwk)) return true;
  const { kty, x, y } = jwk;
  // The encryption key is derived from the private member, so a short member could be guessed.
  if (octetsOf(jwk.d) < (kty === "RSA" ? 128 : 32)) return false;
  // RFC 7518 §6.2.1.2, RFC 8037 §2: coordinates have their full length.
  if ([x, y].some((coordinate) => coordinate !== undefined && octetsOf(coordinate) !== 32)) return false;
  try {
    requireWholeKey(materialOf(jwk), publicMembersOf(jwk));
    if (Object.isFrozen(jwk)) wholeKeys.add(jwk);
    return true;
  } catch {
    return false;
  }
}

function octetsOf(base64url = ""): number {
  return fromBase64url(base64url).byteLength;
}
