/** Octets and texts: encodings, lengths and the order of octets. The Buffer of Node, Deno and Bun is the fastest way. */

import { Buffer } from "node:buffer";

/** RFC 4648 §4, §5, §8. */
export type Encoding = "base64" | "base64url" | "hex";

/** Encodes octets, or those from `start` to `end`. */
export function encodeOctets(
  octets: Uint8Array,
  encoding: Encoding,
  start: number = 0,
  end: number = octets.length,
): string {
  return asBuffer(octets).toString(encoding, start, end);
}

/** Decodes a text. Characters that the encoding does not have are skipped, and hex ends at them. */
export function decodeOctets(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  return Buffer.from(text, encoding);
}

/** Encodes the UTF-8 of a text. */
export function encodeText(text: string, encoding: Encoding): string {
  return Buffer.from(text).toString(encoding);
}

/** Decodes to UTF-8, in which a replacement character stands for each wrong octet. */
export function decodeText(text: string, encoding: Encoding): string {
  return Buffer.from(text, encoding).toString();
}

/** Returns the UTF-8 of a text. */
export function utf8Of(text: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(text);
}

/** Returns the octets of a text whose characters are each one octet, such as ASCII. */
export function latin1Of(text: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(text, "latin1");
}

/** Reads UTF-8, in which a replacement character stands for each wrong octet. */
export function readUtf8(octets: Uint8Array): string {
  return asBuffer(octets).toString();
}

/** Returns how many octets a text has in UTF-8. */
export function countOctets(text: string): number {
  return Buffer.byteLength(text);
}

export function joinOctets(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Buffer.concat(parts);
}

/** Returns a negative number if `left` comes before `right`, 0 if they are equal, or a positive number. */
export function compareOctets(left: Uint8Array, right: Uint8Array): number {
  return Buffer.compare(left, right);
}

/** Returns octets that are 0. Their encoding is faster than that of other octets. */
export function allocateOctets(length: number): Uint8Array<ArrayBuffer> {
  return Buffer.alloc(length);
}

function asBuffer(octets: Uint8Array): Buffer {
  return octets instanceof Buffer ? octets : Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
}
