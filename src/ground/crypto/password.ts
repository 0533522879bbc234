/** Hashes and checks passwords. Each check runs scrypt once, even for an unknown person. */

import { createRandomBytes, fromBase64url, type RandomBytes, toBase64url } from "./bytes.ts";
import { sameDigest, scrypt, scryptAtOnce, sha256 } from "./platform.ts";

/** The value that a password is compared with: a scrypt hash, or a digest if the plain password is configured. */
export type PasswordProof = `scrypt:${string}` | `sha256:${string}`;

// RFC 7914 §2. About 50 ms of one core for each guess.
const cost = { N: 2 ** 14, r: 8, p: 1 };

const pattern = /^scrypt:([A-Za-z0-9_-]{22}):([A-Za-z0-9_-]{43})$/;

/** Returns a hash that a configuration can contain instead of the password. */
export async function hashPassword(
  password: string,
  random: RandomBytes = createRandomBytes(),
): Promise<PasswordProof> {
  const salt = toBase64url(random(16));
  return `scrypt:${salt}:${await derive(password, salt)}`;
}

/** Returns such a hash, and blocks the process until it is computed. */
export function hashPasswordSync(password: string, random: RandomBytes = createRandomBytes()): PasswordProof {
  const salt = toBase64url(random(16));
  return `scrypt:${salt}:${toBase64url(scryptAtOnce(...scryptArguments(password, salt)))}`;
}

export function isPasswordHash(text: string): text is PasswordProof {
  return pattern.test(text);
}

export function proveByDigest(password: string): PasswordProof {
  return `sha256:${sha256(password.normalize("NFC"))}`;
}

const unusedSalt = "A".repeat(22);

/** Without a proof, returns `false` after the same time, so that timing does not reveal which people exist. */
export async function checkPassword(password: string, proof: PasswordProof | undefined): Promise<boolean> {
  const [, salt, hash] = pattern.exec(proof ?? "") ?? [];
  const derived = await derive(password, salt ?? unusedSalt);
  if (proof === undefined) return false;
  return hash === undefined ? sameDigest(proveByDigest(password), proof) : sameDigest(derived, hash);
}

async function derive(password: string, salt: string): Promise<string> {
  return toBase64url(await scrypt(...scryptArguments(password, salt)));
}

function scryptArguments(password: string, salt: string): Parameters<typeof scrypt> {
  // NFC, because keyboards compose characters differently.
  return [password.normalize("NFC"), { salt: fromBase64url(salt), length: 32, ...cost }];
}
