/** Credentials that the server issues, in the form `recordId.secret`, and the hashes of secrets. */

import { type RandomBytes, randomText } from "../../../ground/crypto/bytes.ts";
import { sameDigest, sha256 } from "../../../ground/crypto/platform.ts";
import type { Entry, Kind } from "../../store/store.ts";
import type { ClientAuthentication } from "../contracts/client.ts";
import type { Services } from "../contracts/feature.ts";

export interface Credential {
  readonly id: string;
  readonly secret: string;
}

export function createId(random: RandomBytes): string {
  return randomText(random, 16);
}

export function createSecret(random: RandomBytes): string {
  return randomText(random, 32);
}

export function formatCredential({ id, secret }: Credential): string {
  return `${id}.${secret}`;
}

export function parseCredential(text: string): Credential | undefined {
  const match = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(text);
  return match === null ? undefined : { id: match[1]!, secret: match[2]! };
}

/** Returns the record whose id the text has, if it also has the secret of the record. */
export async function findByCredential<T extends { readonly secretHash: string }>(
  text: string,
  kind: Kind<T>,
  { store, now }: Pick<Services, "store" | "now">,
): Promise<{ readonly id: string; readonly entry: Entry<T> } | undefined> {
  const credential = parseCredential(text);
  const entry = credential && await store.get(kind, credential.id, now());
  return entry && provesSecret(credential.secret, entry.value.secretHash)
    ? { id: credential.id, entry }
    : undefined;
}

/** The parts of a refresh token: the id of its grant, a number, a secret, and a proof. */
export const refreshTokenForm: RegExp =
  /^([A-Za-z0-9_-]{22})\.([1-9]\d{0,8})\.([A-Za-z0-9_-]{32})\.([A-Za-z0-9_-]{22})$/;

/** Whether the text has the form of a code or a token of the server that is no JWT. */
export function isCredential(text: string): boolean {
  return parseCredential(text) !== undefined || refreshTokenForm.test(text);
}

export function hashSecret(secret: string): string {
  return sha256(secret);
}

/** Whether the hash is that of the secret. A code_challenge is the hash of its verifier, too (RFC 7636 §4.6). */
export function provesSecret(secret: string, hash: string): boolean {
  return sameDigest(sha256(secret), hash);
}

// A digest of zeros, which stands for an absent hash.
const standIn = "A".repeat(43);

/** Whether a client registered the secret. If it registered none, the comparison takes the same time. */
export function provesClientSecret(
  secret: string,
  { secretHash, otherSecretHash }: Pick<ClientAuthentication, "secretHash" | "otherSecretHash"> = {},
): boolean {
  const digest = hashSecret(secret);
  const isFirst = sameDigest(digest, secretHash ?? standIn) && secretHash !== undefined;
  const isOther = sameDigest(digest, otherSecretHash ?? standIn) && otherSecretHash !== undefined;
  return isFirst || isOther;
}
