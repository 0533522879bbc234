/** JSON Web Keys as values: what of a key may be shown, and what is asked of one that signs (RFC 7517, 7518). */

import { createPublicKey } from "node:crypto";
import { sha256 } from "./bytes.ts";

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
export function thumbprint(jwk: JsonWebKey): string {
  const names = publicMembers[jwk.kty as keyof typeof publicMembers];
  return sha256(JSON.stringify(Object.fromEntries(names.map((name) => [name, jwk[name]]))));
}

export interface PublicJwk {
  readonly kty: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: "sig";
  readonly [member: string]: string;
}

/** Chosen by an allow-list: a private member that nobody thought of stays inside (D1). */
export function publicJwk(jwk: JsonWebKey, kid: string, alg: string): PublicJwk {
  const names = publicMembers[jwk.kty as keyof typeof publicMembers];
  const members = Object.fromEntries(names.map((name) => [name, String(jwk[name])]));
  return { ...members, kty: String(jwk.kty), kid, alg, use: "sig" };
}

/** What a key signs with: what it says, or else what keys of its kind are for, `preferred` where that is open. */
export function signsWith(
  { alg, kty }: JsonWebKey,
  preferred: SigningAlgorithm,
): SigningAlgorithm | undefined {
  if (alg !== undefined) return signingAlgorithms.find((each) => each === alg);
  if (kty === "RSA") return preferred === "PS256" ? "PS256" : "RS256";
  return kty === "EC" ? "ES256" : kty === "OKP" ? "EdDSA" : undefined;
}

/** RFC 8725 §3.1: a public key is good for the algorithms of its kind, or for the one it says it is for. */
export function verifiesWith(jwk: JsonWebKey): readonly SigningAlgorithm[] {
  const fit: readonly SigningAlgorithm[] = jwk.kty === "RSA"
    ? ["RS256", "PS256"]
    : jwk.kty === "EC" && jwk.crv === "P-256"
    ? ["ES256"]
    : jwk.kty === "OKP" && jwk.crv === "Ed25519"
    ? ["EdDSA"]
    : [];
  return jwk.alg === undefined ? fit : fit.filter((alg) => alg === jwk.alg);
}

/** Whether something can be verified with it: a whole public key, long enough, with nothing private in it. */
export function isVerifyingKey(jwk: JsonWebKey): boolean {
  if (jwk.d !== undefined || jwk.k !== undefined || verifiesWith(jwk).length === 0) return false;
  // RFC 7518 §3.3: 2048 bits are 342 characters.
  if (jwk.kty === "RSA" && (jwk.n ?? "").length < 342) return false;
  try {
    createPublicKey({ key: jwk as Record<string, string>, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

/** What `alg` needs of a key, and `undefined` when this one has it. */
export function unfitForSigning(jwk: JsonWebKey, alg: SigningAlgorithm): string | undefined {
  switch (alg) {
    case "RS256":
    case "PS256":
      if (jwk.kty !== "RSA") return `${alg} needs a key with kty "RSA"`;
      // RFC 7518 §3.3: 2048 bits or more; 342 base64url characters hold them.
      if ((jwk.n ?? "").length < 342) return `${alg} needs an RSA key of 2048 bits or more`;
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
  return typeof jwk.d === "string" ? undefined : "a signing key needs its private member d";
}
