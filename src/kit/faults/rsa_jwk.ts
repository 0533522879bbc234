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

/** The test keys that a mock publishes, if it has no others. Faults make more keys of the same prime numbers. */
export const rs256: RsaPrimes = {
  p: "1ajrCZXTHEOMwgqDgQ_MXLEET2FqOZor7HBc1ti-l3awQSRSRLopQygmiP5QkDr1mQ19iL02kYndI6AUWcmr2Zh1LzWM" +
    "Nza2SVlUfFCJWBD0hTr94Y4HFc7Ykv12sr7KZpamZmz4KUUcNXM8l05prpxKfGTrmqOOU66E2CRc0pU",
  q: "1r9RnoPD4o_-zQVeE5UWjGcmIL3NtWvEwN6VlSXEIwwVPwcqJuCaR3aMB-pD5nTE2lo4NM3ouytApMk_iSTahAJVkZlq" +
    "4-TSk6sQdk9oFui4G70WIEgknpNnASQg6OdpkIBB4aE2EP4iHxnENe-d4vAqGZjZR9Xpd3MsnQXVhCc",
  qi: "KuA6FbgbeGUja3AgrBuSNyDqlOLAnPXgavcGGUpe5jyDuXJ1U9IUeD7UW07bpZxlwb2zNawdHHps1faUGS0HJx8fq3nn" +
    "wPKS1flO06hbRJvA-FrRp__m4V6bTXJ-OxLl7x9NfZEZnZSU6cyEn0WIOxt0S_GWZCZaVlpcI9KNsfY",
};

export const ps256: RsaPrimes = {
  p: "_a-1fbHCPoAk3NT4s4XZnURRNrrYUDRWeImb8vYG7Caa9TjHZ-bQDLG7nxAh3VlwaRIYdSwbGxhhYGbh840z5GmEKxyW" +
    "GW15q1coEZBuGjy3CMGWOtYEWO3ROjukoOzyS0Vee9bp1kVoOLlx-DfOS8xxMYZBHcxNmjBVkRSi5Pc",
  q: "8V_YZtQhGsuX65lSF9Hshg0mMDAC3cY1wrE8GwyEWJYlxM6w-qzexGTYJSpkFzjwElH0CrQH2j75OdVNqnXeX-nim2lk" +
    "nzvRwgAKODSRmuLMOqoxzbkRklK5re9HlmRSz99TOEhp69KbAnSkwKJFbEyXxFgtXczoIbU-OsNw8uE",
  qi: "jv-9RXOPUu1kbH49507LVf5JWrYfwG2F8RQJrgKC61aToynCAEVrM1IJOOdEGqHDqV_pnIKaxgR-IoMEv9n2jKKg3qAv" +
    "mwacmoFcDhX4mRxgi_KvwklFV8chqSk3C-MfOtrQh6XSYOw7nJLq9L0_TRNpfwMuU5gYS3PL8qv49Lo",
};
