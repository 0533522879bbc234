/** Derives signing keys from octets, for tests only: the search for prime numbers does not hide what it finds. */

import { type RandomBytes, toBase64url } from "../../../ground/crypto/bytes.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { derivePublicMembers, isPrime, type SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import { createRsaJwk, encodeNumber, publicExponent, readNumber } from "../../faults/rsa_jwk.ts";

/** Returns the same private key for the same octets, on every platform. */
export function deriveSigningJwk(alg: SigningAlgorithm, random: RandomBytes): Jwk {
  if (alg === "ES256") return deriveEcJwk(random);
  return alg === "EdDSA" ? deriveOkpJwk(random) : deriveRsaJwk(random);
}

function deriveEcJwk(random: RandomBytes): Jwk {
  const d = random(32);
  // A private key must be less than the order of the curve, which begins with ffffffff.
  d[0]! &= 0x7f;
  return { kty: "EC", crv: "P-256", ...derivePublicMembers("P-256", d), d: toBase64url(d) };
}

function deriveOkpJwk(random: RandomBytes): Jwk {
  const d = random(32);
  return { kty: "OKP", crv: "Ed25519", ...derivePublicMembers("Ed25519", d), d: toBase64url(d) };
}

/** Derives a key of 2048 bits. */
function deriveRsaJwk(random: RandomBytes): Jwk {
  return createRsaJwk({ p: encodeNumber(findPrime(random(128))), q: encodeNumber(findPrime(random(128))) });
}

function findPrime(octets: Uint8Array): bigint {
  // With these bits, the product of two primes has its full length, and the number is odd.
  octets[0]! |= 0xc0;
  octets[octets.length - 1]! |= 1;
  const start = readNumber(octets);
  // Most numbers have a small factor, and isPrime() is slow. The remainders find such a number without it.
  const remainders = smallPrimes().map((prime) => [prime, Number(start % BigInt(prime))] as const);
  for (let distance = 0;; distance += 2) {
    if (remainders.some(([prime, remainder]) => (remainder + distance) % prime === 0)) continue;
    const candidate = start + BigInt(distance);
    if (candidate % publicExponent !== 1n && isPrime(candidate)) return candidate;
  }
}

function smallPrimes(): readonly number[] {
  const primes: number[] = [];
  for (let number = 3; number < 8000; number += 2) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}
