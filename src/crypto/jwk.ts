/** JSON Web Keys as values: what of a key may be shown, and what is asked of one that signs (RFC 7517, 7518). */

import { constants, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { fromBase64url, sha256 } from "./bytes.ts";

/** A JSON Web Key (RFC 7517 §4), private or public. What platforms call theirs is not known to every compiler. */
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

/** What signs here. */
export type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "EdDSA";

export const signingAlgorithms: readonly SigningAlgorithm[] = ["RS256", "PS256", "ES256", "EdDSA"];

/** RFC 7638 §3.2: what identifies a key is also all of it that is public. */
const publicMembers = {
  RSA: ["e", "kty", "n"],
  EC: ["crv", "kty", "x", "y"],
  OKP: ["crv", "kty", "x"],
} as const;

/** RFC 7638 §3: the members that identify the key, in alphabetical order and without a space, hashed. */
export function thumbprint(jwk: Jwk): string {
  return sha256(JSON.stringify(publicMembersOf(jwk)));
}

/** In that order. */
function publicMembersOf(jwk: Jwk): Record<string, string> {
  const names = publicMembers[jwk.kty as keyof typeof publicMembers];
  return Object.fromEntries(names.map((name) => [name, String(jwk[name])]));
}

export interface PublicJwk {
  readonly kty: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: "sig";
  readonly [member: string]: string;
}

/** Chosen by an allow-list: a private member that nobody thought of stays inside (D1). */
export function publicJwk(jwk: Jwk, kid: string, alg: string): PublicJwk {
  return Object.freeze({ ...publicMembersOf(jwk), kty: String(jwk.kty), kid, alg, use: "sig" });
}

/** What a key signs with: what it says, or else what keys of its kind are for, `preferred` where that is open. */
export function signsWith(
  { alg, kty }: Jwk,
  preferred: SigningAlgorithm,
): SigningAlgorithm | undefined {
  if (alg !== undefined) return findAlgorithm(alg);
  if (kty === "RSA") return preferred === "PS256" ? "PS256" : "RS256";
  return kty === "EC" ? "ES256" : kty === "OKP" ? "EdDSA" : undefined;
}

/** RFC 9864 §2.2: Ed25519 is the curve's own name for what is EdDSA here. */
function findAlgorithm(name: string): SigningAlgorithm | undefined {
  return signingAlgorithms.find((each) => each === (name === "Ed25519" ? "EdDSA" : name));
}

/** RFC 8725 §3.1: a public key is good for the algorithms of its kind, or for the one it says it is for. */
export function verifiesWith(jwk: Jwk): readonly SigningAlgorithm[] {
  const fit: readonly SigningAlgorithm[] = jwk.kty === "RSA"
    ? ["RS256", "PS256"]
    : jwk.kty === "EC" && jwk.crv === "P-256"
    ? ["ES256"]
    : jwk.kty === "OKP" && jwk.crv === "Ed25519"
    ? ["EdDSA"]
    : [];
  if (jwk.alg === undefined) return fit;
  const said = findAlgorithm(jwk.alg);
  return fit.filter((alg) => alg === said);
}

/** Whether something can be verified with it: a whole public key, long enough, with nothing private in it. */
export function isVerifyingKey(jwk: Jwk): boolean {
  if (jwk.d !== undefined || jwk.k !== undefined || verifiesWith(jwk).length === 0) return false;
  if (!isFor("verify", jwk) || findMalformedMember(jwk) !== undefined || isShortRsa(jwk)) return false;
  try {
    createPublicKey({ key: jwk as Record<string, string>, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

/** RFC 7517 §4.2, §4.3: what a key says it is for is what it is for. */
function isFor(operation: "sign" | "verify", { use, key_ops: operations }: Jwk): boolean {
  return (use === undefined || use === "sig") &&
    (operations === undefined || Array.isArray(operations) && operations.includes(operation));
}

const materialMembers = ["x", "y", "n", "e", "d", "p", "q", "dp", "dq", "qi"] as const;

/** RFC 7518 §6: numbers and coordinates are base64url; whatever else is there would be read as something else. */
function findMalformedMember(jwk: Jwk): string | undefined {
  const needed: readonly string[] = publicMembers[jwk.kty as keyof typeof publicMembers] ?? [];
  return materialMembers.find((name) => {
    const value: unknown = jwk[name];
    if (value === undefined) return needed.includes(name);
    return typeof value !== "string" || !/^[\w-]+$/.test(value);
  });
}

/** RFC 7518 §3.3: the modulus itself has 2048 bits or more, without the zeros that may stand before it. */
function isShortRsa({ kty, n = "" }: Jwk): boolean {
  if (kty !== "RSA") return false;
  const octets = fromBase64url(n);
  const first = octets.findIndex((octet) => octet !== 0);
  return first === -1 || (octets.byteLength - first) * 8 - (Math.clz32(octets[first]!) - 24) < 2048;
}

/** What `alg` needs of a key, and `undefined` when this one has it. */
export function unfitForSigning(jwk: Jwk, alg: SigningAlgorithm): string | undefined {
  switch (alg) {
    case "RS256":
    case "PS256":
      if (jwk.kty !== "RSA") return `${alg} needs a key with kty "RSA"`;
      break;
    case "ES256":
      if (jwk.kty !== "EC" || jwk.crv !== "P-256") return `ES256 needs a key with kty "EC" and crv "P-256"`;
      break;
    case "EdDSA":
      if (jwk.kty !== "OKP" || jwk.crv !== "Ed25519") {
        return `EdDSA needs a key with kty "OKP" and crv "Ed25519"`;
      }
      break;
  }
  if (jwk.d === undefined) return "a signing key needs its private member d";
  if (!isFor("sign", jwk)) return "by its use or key_ops it is not for signing";
  const malformed = findMalformedMember(jwk);
  if (malformed !== undefined) return `its member ${malformed} must be a string in base64url, and not empty`;
  if (isShortRsa(jwk)) return `${alg} needs an RSA key of 2048 bits or more`;
  return isWhole(jwk) ? undefined : "it is no whole key: a member is missing, or they do not belong together";
}

/** Tried out, for platforms differ in what they take: what it signs is verified with what will be published of it. */
function isWhole(jwk: Jwk): boolean {
  const { kty, x, y } = jwk;
  // What is sealed hangs on the private member, too: a short one could be guessed.
  if (octetsOf(jwk.d) < (kty === "RSA" ? 128 : 32)) return false;
  // RFC 7518 §6.2.1.2, RFC 8037 §2: coordinates have their full length.
  if ([x, y].some((coordinate) => coordinate !== undefined && octetsOf(coordinate) !== 32)) return false;
  try {
    const privateKey = createPrivateKey({ key: jwk as Record<string, string>, format: "jwk" });
    const publicKey = createPublicKey({ key: publicMembersOf(jwk), format: "jwk" });
    const hash = kty === "OKP" ? null : "sha256";
    const padding = kty === "RSA" ? { padding: constants.RSA_PKCS1_PADDING } : {};
    const signature = sign(hash, probe, { key: privateKey, ...padding });
    return verify(hash, probe, { key: publicKey, ...padding }, signature);
  } catch {
    return false;
  }
}

const probe = new TextEncoder().encode("Whatever is signed");

function octetsOf(base64url = ""): number {
  return fromBase64url(base64url).byteLength;
}
