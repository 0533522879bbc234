/** Passwords: every check costs one scrypt, whether there is anything to check or not. */

import { scrypt } from "node:crypto";
import {
  createRandomBytes,
  fromBase64url,
  type RandomBytes,
  sameDigest,
  sha256,
  toBase64url,
} from "./bytes.ts";

/** What a password is compared with: a hash to keep, or the digest of one that stands in a configuration anyway. */
export type PasswordProof = `scrypt:${string}` | `sha256:${string}`;

// RFC 7914 §2, for somebody who waits: some 50 ms of one core for each guess.
const cost = { N: 2 ** 14, r: 8, p: 1 };

const pattern = /^scrypt:([A-Za-z0-9_-]{22}):([A-Za-z0-9_-]{43})$/;

/** What to write into a configuration instead of the password. */
export async function hashPassword(
  password: string,
  random: RandomBytes = createRandomBytes(),
): Promise<PasswordProof> {
  const salt = toBase64url(random(16));
  return `scrypt:${salt}:${await derive(password, salt)}`;
}

export function isPasswordHash(text: string): text is PasswordProof {
  return pattern.test(text);
}

export function proveByDigest(password: string): PasswordProof {
  return `sha256:${sha256(password.normalize("NFC"))}`;
}

const nobodysSalt = "A".repeat(22);

/** Without a proof, nobody: refused, and as slowly as everybody else. */
export async function checkPassword(password: string, proof: PasswordProof | undefined): Promise<boolean> {
  const [, salt, hash] = pattern.exec(proof ?? "") ?? [];
  const derived = await derive(password, salt ?? nobodysSalt);
  if (proof === undefined) return false;
  return hash === undefined ? sameDigest(proveByDigest(password), proof) : sameDigest(derived, hash);
}

function derive(password: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // NFC: the same password from another keyboard is the same password.
    scrypt(password.normalize("NFC"), fromBase64url(salt), 32, cost, (error, key) => {
      // On success it is null, and in Bun undefined.
      if (error) reject(error);
      else resolve(toBase64url(key));
    });
  });
}
