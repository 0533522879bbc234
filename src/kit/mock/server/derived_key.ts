/** Derives signing keys from octets, for tests only: the search for prime numbers does not hide what it finds. */

import { Buffer } from "node:buffer";
import { checkPrimeSync, createECDH, createPrivateKey } from "node:crypto";
import { fromBase64url, type RandomBytes, toBase64url } from "../../../server/crypto/bytes.ts";
import type { Jwk } from "../../../server/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../server/crypto/platform.ts";

/** Returns the same private key for the same octets, on every platform. */
export function deriveSigningJwk(alg: SigningAlgorithm, random: RandomBytes): Jwk {
  if (alg === "ES256") return deriveEcJwk(random);
  return alg === "EdDSA" ? deriveOkpJwk(random) : deriveRsaJwk(random);
}

function deriveEcJwk(random: RandomBytes): Jwk {
  const d = random(32);
  // A private key must be less than the order of the curve, which begins with ffffffff.
  d[0]! &= 0x7f;
  const exchange = createECDH("prime256v1");
  exchange.setPrivateKey(d);
  // An uncompressed point: the octet 4, then x and y.
  const point = exchange.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(toBase64url) as [string, string];
  return { kty: "EC", crv: "P-256", x, y, d: toBase64url(d) };
}

// The beginning of a PKCS #8 document with an Ed25519 private key, which is the last 32 octets (RFC 8410 §7).
const okpPrefix = fromBase64url("MC4CAQAwBQYDK2VwBCIEIA");

function deriveOkpJwk(random: RandomBytes): Jwk {
  const document = Buffer.concat([okpPrefix, random(32)]);
  const { x, d } = createPrivateKey({ key: document, format: "der", type: "pkcs8" }).export({
    format: "jwk",
  });
  return { kty: "OKP", crv: "Ed25519", x: `${x}`, d: `${d}` };
}

const publicExponent = 65537n;

/** Derives a key of 2048 bits (RFC 8017 §3). */
function deriveRsaJwk(random: RandomBytes): Jwk {
  const p = findPrime(random(128));
  const q = findPrime(random(128));
  const d = invert(publicExponent, (p - 1n) * (q - 1n));
  return {
    kty: "RSA",
    n: encode(p * q),
    e: encode(publicExponent),
    d: encode(d),
    p: encode(p),
    q: encode(q),
    dp: encode(d % (p - 1n)),
    dq: encode(d % (q - 1n)),
    qi: encode(invert(q, p)),
  };
}

function findPrime(octets: Uint8Array): bigint {
  // With these bits, the product of two primes has its full length, and the number is odd.
  octets[0]! |= 0xc0;
  octets[octets.length - 1]! |= 1;
  const start = decode(octets);
  // Most numbers have a small factor, and checkPrimeSync() is slow. The remainders find such a number without it.
  const remainders = smallPrimes().map((prime) => [prime, Number(start % BigInt(prime))] as const);
  for (let distance = 0;; distance += 2) {
    if (remainders.some(([prime, remainder]) => (remainder + distance) % prime === 0)) continue;
    const candidate = start + BigInt(distance);
    if (candidate % publicExponent !== 1n && checkPrimeSync(candidate)) return candidate;
  }
}

function smallPrimes(): readonly number[] {
  const primes: number[] = [];
  for (let number = 3; number < 8000; number += 2) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

/** Returns the inverse of a number modulo another one, by the extended Euclidean algorithm. */
function invert(number: bigint, modulus: bigint): bigint {
  let [dividend, divisor, before, inverse] = [modulus, number % modulus, 0n, 1n];
  while (divisor !== 1n) {
    const quotient = dividend / divisor;
    [dividend, divisor] = [divisor, dividend - quotient * divisor];
    [before, inverse] = [inverse, before - quotient * inverse];
  }
  return inverse < 0n ? inverse + modulus : inverse;
}

function decode(octets: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(octets).toString("hex")}`);
}

function encode(number: bigint): string {
  const hex = number.toString(16);
  return Buffer.from(hex.padStart(hex.length + hex.length % 2, "0"), "hex").toString("base64url");
}
