/** Creates random octets, encodes octets, and makes ETags. */

import { Buffer } from "node:buffer";
import { sha256 } from "./platform.ts";

/** A source of random octets. A test passes its own, so that every run has the same ids. */
export type RandomBytes = (length: number) => Uint8Array;

/** Creates a source that gets 4096 octets at a time from the platform, because each call is slow. */
export function createRandomBytes(): RandomBytes {
  const pool = new Uint8Array(4096);
  let used = pool.byteLength;
  return (length) => {
    if (length > pool.byteLength) return crypto.getRandomValues(new Uint8Array(length));
    if (used + length > pool.byteLength) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const octets = pool.slice(used, used + length);
    // Erases the octets, so that none are used twice or can be found in memory later.
    pool.fill(0, used, used + length);
    used += length;
    return octets;
  };
}

export function toBase64url(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString("base64url");
}

export function fromBase64url(text: string): Uint8Array {
  return Buffer.from(text, "base64url");
}

/** Returns `length` random octets as base64url. */
export function randomText(random: RandomBytes, length: number): string {
  return toBase64url(random(length));
}

/** Returns an ETag (RFC 9110 §8.8.3). The same text has the same ETag on every server. */
export function etagOf(text: string): string {
  return `"${sha256(text)}"`;
}
