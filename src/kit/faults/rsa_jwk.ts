/** Private RSA keys of tests from their two prime numbers, from which the other numbers follow (RFC 8017 §3.2). */

import { toBase64url } from "../../ground/crypto/bytes.ts";
import type { Jwk } from "../../ground/crypto/jwk.ts";
import { invert } from "../../ground/values/invert.ts";
import { decodeOctets, encodeOctets } from "../../ground/values/octets.ts";

export const publicExponent = 65537n;

/** In base64url. Without the inverse of `q` modulo `p`, the function computes it, which takes longer than all the rest. */
export interface RsaPrimes {
  readonly p: string;
  readonly q: string;
  readonly qi?: string;
}

export function createRsaJwk({ p, q, qi }: RsaPrimes): Jwk {
  const [first, second] = [p, q].map((prime) => readNumber(decodeOctets(prime, "base64url"))) as [
    bigint,
    bigint,
  ];
  const d = invert(publicExponent, (first - 1n) * (second - 1n));
  return {
    kty: "RSA",
    n: encodeNumber(first * second),
    e: encodeNumber(publicExponent),
    d: encodeNumber(d),
    p,
    q,
    dp: encodeNumber(d % (first - 1n)),
    dq: encodeNumber(d % (second - 1n)),
    qi: qi ?? encodeNumber(invert(second, first)),
  };
}

export function readNumber(octets: Uint8Array): bigint {
  return BigInt(`0x${encodeOctets(octets, "hex")}`);
}

export function encodeNumber(number: bigint): string {
  const hex = number.toString(16);
  return toBase64url(decodeOctets(hex.padStart(hex.length + hex.length % 2, "0"), "hex"));
}
