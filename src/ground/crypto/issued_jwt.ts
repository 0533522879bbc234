/** Verifies JWTs of any kind that this server signed. */

import { remember } from "../values/remember.ts";
import { fromBase64url } from "./bytes.ts";
import {
  type JwtHeader,
  readClaims,
  readUnverifiedHeader,
  type SigningKey,
  type VerifiedJwt,
} from "./jwt.ts";
import type { KeyRing } from "./key_ring.ts";
import { sha256 } from "./platform.ts";

/** Verifies with the published keys only. A JWT that a removed key signed is not accepted any more. */
export async function verifyIssuedJwt(text: string, keys: KeyRing): Promise<VerifiedJwt | undefined> {
  const header = readUnverifiedHeader(text);
  // RFC 7515 §4.1.11: a JWT with an extension is not valid for a reader that knows no extension.
  if (header === undefined || header.crit !== undefined) return undefined;
  const key = await keys.findPublished(header) ?? await findNewer(header, keys);
  if (key === undefined || !await isSignedBy(key, text)) return undefined;
  const claims = readClaims(text);
  return claims && { typ: header.typ, alg: key.alg, claims };
}

async function isSignedBy(key: SigningKey, text: string): Promise<boolean> {
  const known = remember(verified, key, createGenerations);
  const hash = sha256(text);
  if (known.has(hash)) return true;
  const end = text.lastIndexOf(".");
  const isRight = await key.verify(text.slice(0, end), fromBase64url(text.slice(end + 1)));
  if (isRight) known.add(hash);
  return isRight;
}

/**
 * What each key has signed, by the hash of the whole text: an API asks about the same token again and again, and a right
 * signature stays right. Whether the key is published, and what the claims say, is checked each time.
 */
const verified = new WeakMap<SigningKey, Generations>();

interface Generations {
  has(hash: string): boolean;
  add(hash: string): void;
}

// A hash takes about 110 octets, so those of one key take a quarter of a megabyte.
const mostOfGeneration = 1000;

/** Creates a set that forgets the older half of what it has when it is full. */
function createGenerations(): Generations {
  let young = new Set<string>();
  let old = new Set<string>();
  return {
    has: (hash) => young.has(hash) || old.has(hash),
    add(hash) {
      if (young.size === mostOfGeneration) [young, old] = [new Set(), young];
      young.add(hash);
    },
  };
}

/** Another server on this store may have rotated the keys since this one has read them. */
async function findNewer(header: JwtHeader, keys: KeyRing): Promise<SigningKey | undefined> {
  // If the store fails, the JWT is refused as one with an unknown key.
  await keys.reload().catch(() => {});
  return await keys.findPublished(header);
}
