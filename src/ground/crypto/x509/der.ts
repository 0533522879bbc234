/** Encodes the DER types (ITU-T X.690) that a certificate needs. The libraries for this are larger than Postern. */

import { compareOctets } from "../../values/octets.ts";

/** An array whose buffer is not a SharedArrayBuffer, which WebCrypto would refuse. */
export type Octets = Uint8Array<ArrayBuffer>;

export function sequence(...items: readonly Octets[]): Octets {
  return encode(0x30, ...items);
}

/** DER sorts the values (X.690 §11.6). */
export function setOf(...items: readonly Octets[]): Octets {
  return encode(0x31, ...items.toSorted(compareOctets));
}

/** FALSE is always the default in certificates, and DER omits default values (X.690 §11.5). */
export const booleanTrue = (): Octets => encode(0x01, [0xff]);

/** X.690 §8.8. */
export const nullValue = (): Octets => encode(0x05);

/** An unsigned number: without the zero octet, a first bit of 1 would make it negative (X.690 §8.3). */
export function integer(octets: Iterable<number>): Octets {
  const all = [...octets];
  const start = all.findIndex((octet) => octet !== 0);
  const digits = start === -1 ? [0] : all.slice(start);
  return encode(0x02, digits[0]! < 0x80 ? digits : [0, ...digits]);
}

export function bitString(octets: Iterable<number>): Octets {
  return encode(0x03, [0], octets);
}

/** Encodes a bit string in which the bits with these numbers are 1. Trailing zero bits are omitted (X.690 §11.2.2). */
export function namedBits(...numbers: readonly number[]): Octets {
  const last = Math.max(...numbers);
  const octets = new Array<number>(Math.floor(last / 8) + 1).fill(0);
  for (const number of numbers) octets[Math.floor(number / 8)]! |= 0x80 >> number % 8;
  return encode(0x03, [7 - last % 8], octets);
}

export function octetString(octets: Iterable<number>): Octets {
  return encode(0x04, octets);
}

/** Encodes an object identifier that is written with dots (X.690 §8.19). */
export function objectIdentifier(dotted: string): Octets {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  return encode(0x06, [first * 40 + second, ...others].flatMap(toBase128));
}

export function utf8String(text: string): Octets {
  return encode(0x0c, new TextEncoder().encode(text));
}

/** Encodes seconds since 1970. A year has two digits until 2049, and four digits from 2050 (RFC 5280 §4.1.2.5). */
export function time(seconds: number): Octets {
  const moment = new Date(Math.floor(seconds) * 1000);
  const digits = moment.toISOString().replace(/\.\d+|[-:T]/g, "");
  const year = moment.getUTCFullYear();
  const isShort = year >= 1950 && year < 2050;
  return encode(isShort ? 0x17 : 0x18, new TextEncoder().encode(isShort ? digits.slice(2) : digits));
}

/** Encodes `[number] EXPLICIT`, a tag around a whole value, or `[number] IMPLICIT` of a sequence of several. */
export function explicit(number: number, ...items: readonly Octets[]): Octets {
  return encode(0xa0 | number, ...items);
}

/** Encodes `[number] IMPLICIT`, a tag that replaces the tag of a primitive value. */
export function implicit(number: number, octets: Iterable<number>): Octets {
  return encode(0x80 | number, octets);
}

function encode(tag: number, ...parts: readonly Iterable<number>[]): Octets {
  const content = parts.flatMap((part) => [...part]);
  return new Uint8Array([tag, ...encodeLength(content.length), ...content]);
}

/** Encodes a length in the shortest form, as DER requires (X.690 §10.1). */
function encodeLength(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return [0x80 | octets.length, ...octets];
}

/** Splits a number into seven bits per octet. All octets but the last have a leading bit of 1. */
function toBase128(number: number): readonly number[] {
  const octets = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    octets.unshift(0x80 | rest % 128);
  }
  return octets;
}
