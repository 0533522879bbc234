/** The octets of a web page, which has no Buffer: the same functions as those of `octets.ts`. */

import type { Encoding } from "./octets.ts";

const writer = new TextEncoder();
const reader = new TextDecoder("utf-8", { ignoreBOM: true });

export function encodeOctets(
  octets: Uint8Array,
  encoding: Encoding,
  start: number = 0,
  end: number = octets.length,
): string {
  const part = octets.subarray(start, end);
  if (encoding === "hex") return [...part].map((octet) => octet.toString(16).padStart(2, "0")).join("");
  const base64 = btoa(toLatin1(part));
  return encoding === "base64"
    ? base64
    : base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Like a Buffer, it skips characters that the encoding does not have, and ends at the first `=`. */
export function decodeOctets(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === "hex") {
    const [pairs = ""] = /^(?:[\da-f]{2})*/i.exec(text) ?? [];
    return Uint8Array.from(pairs.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  }
  const digits = text.split("=", 1)[0]!.replaceAll("-", "+").replaceAll("_", "/").replace(/[^\w+/]/g, "");
  // One digit alone is less than an octet.
  return latin1Of(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits));
}

export function encodeText(text: string, encoding: Encoding): string {
  return encodeOctets(utf8Of(text), encoding);
}

export function decodeText(text: string, encoding: Encoding): string {
  return readUtf8(decodeOctets(text, encoding));
}

export function utf8Of(text: string): Uint8Array<ArrayBuffer> {
  return writer.encode(text);
}

export function latin1Of(text: string): Uint8Array<ArrayBuffer> {
  const octets = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) octets[at] = text.charCodeAt(at);
  return octets;
}

export function readUtf8(octets: Uint8Array): string {
  return reader.decode(octets);
}

export function countOctets(text: string): number {
  return utf8Of(text).length;
}

export function joinOctets(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function compareOctets(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    if (left[at] !== right[at]) return left[at]! - right[at]!;
  }
  return left.length - right.length;
}

export function allocateOctets(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length);
}

// Arguments of one call. More would overflow the stack.
const atOnce = 8192;

function toLatin1(octets: Uint8Array): string {
  let text = "";
  for (let at = 0; at < octets.length; at += atOnce) {
    text += String.fromCharCode(...octets.subarray(at, at + atOnce));
  }
  return text;
}
