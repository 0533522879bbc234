/** Creates random octets, encodes octets, and makes ETags. */

import { allocateOctets, decodeOctets, encodeOctets, encodeText } from "../values/octets.ts";
import { sha256 } from "./platform.ts";

/** A source of random octets. A test passes its own, so that every run has the same ids. */
export type RandomBytes = (length: number) => Uint8Array;

// In octets. Many mocks need few.
const firstPool = 256;
const largestPool = 4096;

/** A source that writes its octets as text itself, which takes a fifth of the time that copying them first takes. */
interface RandomPool {
  (length: number): Uint8Array;
  /** Returns `length` random octets as base64url. */
  text(length: number): string;
}

/** Creates a source that gets many octets at a time from the platform, because each call is slow. */
export function createRandomBytes(): RandomBytes {
  let pool = allocateOctets(0);
  let used = 0;

  function readPool<Taken>(
    length: number,
    read: (pool: Uint8Array, start: number, end: number) => Taken,
  ): Taken {
    if (used + length > pool.byteLength) {
      const wanted = Math.max(firstPool, 2 * pool.byteLength, length);
      if (pool.byteLength < largestPool) pool = allocateOctets(Math.min(wanted, largestPool));
      crypto.getRandomValues(pool);
      used = 0;
    }
    const end = used + length;
    const taken = read(pool, used, end);
    // Erases the octets, so that none are used twice or can be found in memory later.
    pool.fill(0, used, end);
    used = end;
    return taken;
  }

  const octets = (length: number) =>
    length > largestPool ? crypto.getRandomValues(new Uint8Array(length)) : readPool(length, copy);
  const text = (length: number) =>
    length > largestPool ? toBase64url(octets(length)) : readPool(length, encode);
  return Object.assign(octets, { text }) satisfies RandomPool;
}

function copy(pool: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(pool.subarray(start, end));
}

function encode(pool: Uint8Array, start: number, end: number): string {
  return encodeOctets(pool, "base64url", start, end);
}

export function toBase64url(octets: Uint8Array): string {
  return encodeOctets(octets, "base64url");
}

export function fromBase64url(text: string): Uint8Array {
  return decodeOctets(text, "base64url");
}

export function randomText(random: RandomBytes | RandomPool, length: number): string {
  return "text" in random ? random.text(length) : toBase64url(random(length));
}

/** Returns an ETag (RFC 9110 §8.8.3). The same text has the same ETag on every server. */
export function etagOf(text: string): string {
  return `"${sha256(text)}"`;
}

/** Encodes the header or the claims of a JWT (RFC 7515 §3.1). A text is JSON already, and so are octets. */
export function encodePart(part: Readonly<Record<string, unknown>> | string | Uint8Array): string {
  if (part instanceof Uint8Array) return toBase64url(part);
  return encodeText(typeof part === "string" ? part : JSON.stringify(part), "base64url");
}
