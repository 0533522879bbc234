/**
 * The numbers of keys in a web page, where WebCrypto computes no public key from a private one. For keys of tests only:
 * the time of each function tells about the numbers. A library of curves would weigh 14 kB compressed, this file 1 kB.
 */

import { sha512 } from "@noble/hashes/sha2.js";
import { invert } from "../values/invert.ts";
import { decodeOctets, encodeOctets } from "../values/octets.ts";
import type { KeyMaterial } from "./web_crypto.ts";

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

type Add = (left: Point | undefined, right: Point | undefined) => Point | undefined;

/** P-256 (SP 800-186 §3.2.1.3): y² = x³ − 3x + b. */
const p256 = {
  p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  base: {
    x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  },
} as const;

/** Edwards25519 (RFC 8032 §5.1): −x² + y² = 1 + dx²y². */
const ed25519 = {
  p: 2n ** 255n - 19n,
  d: 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n,
  base: {
    x: 0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51an,
    y: 0x6666666666666666666666666666666666666666666666666666666666666658n,
  },
} as const;

/** Computes the public members of the private key `d`. */
export function derivePublicMembers(crv: "P-256" | "Ed25519", d: Uint8Array): KeyMaterial {
  if (crv === "P-256") {
    const { x, y } = multiply(readNumber(d), p256.base, addOnP256)!;
    return { x: writeNumber(x), y: writeNumber(y) };
  }
  // RFC 8032 §5.1.5
  const scalar = sha512(d).subarray(0, 32);
  scalar[0]! &= 0xf8;
  scalar[31] = scalar[31]! & 0x7f | 0x40;
  const { x, y } = multiply(readNumber(scalar.toReversed()), ed25519.base, addOnEdwards)!;
  const octets = decodeOctets(writeNumber(y), "base64url").toReversed();
  octets[31]! |= Number(x & 1n) << 7;
  return { x: encodeOctets(octets, "base64url") };
}

/** Throws if the coordinates, in base64url, are no point of P-256. */
export function requirePoint(x: string, y: string): void {
  const [left, up] = [x, y].map((text) => readNumber(decodeOctets(text, "base64url"))) as [bigint, bigint];
  const { p, b } = p256;
  if (left < p && up < p && modulo(up * up - (left ** 3n - 3n * left + b), p) === 0n) return;
  throw new TypeError("The members x and y are no point of P-256");
}

/** Whether the members of a private RSA key belong together (RFC 8017 §3.2). */
export function isWholeRsa(material: KeyMaterial): boolean {
  const numberOf = (name: string) => readNumber(decodeOctets(`${material[name] ?? ""}`, "base64url"));
  const [n, e, d, p, q] = ["n", "e", "d", "p", "q"].map(numberOf) as [bigint, bigint, bigint, bigint, bigint];
  const [dp, dq, qi] = ["dp", "dq", "qi"].map(numberOf) as [bigint, bigint, bigint];
  if (p < 2n || q < 2n || p * q !== n) return false;
  return dp === d % (p - 1n) && dq === d % (q - 1n) && qi * q % p === 1n &&
    d * e % (p - 1n) === 1n && d * e % (q - 1n) === 1n;
}

/** Tests with fixed bases (Miller and Rabin). A number that no opponent chose passes them only if it is prime. */
export function isPrime(candidate: bigint): boolean {
  let odd = candidate - 1n;
  let twos = 0;
  for (; odd % 2n === 0n; odd /= 2n) twos++;
  return [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n].every((base) => {
    let power = raise(base, odd, candidate);
    if (base === candidate || power === 1n || power === candidate - 1n) return true;
    for (let count = 1; count < twos; count++) {
      power = power * power % candidate;
      if (power === candidate - 1n) return true;
    }
    return false;
  });
}

const addOnP256: Add = (left, right) => {
  if (left === undefined || right === undefined) return left ?? right;
  const { p } = p256;
  const isSame = left.x === right.x;
  if (isSame && left.y !== right.y) return undefined;
  const slope = isSame
    ? modulo((3n * left.x * left.x - 3n) * invert(modulo(2n * left.y, p), p), p)
    : modulo((right.y - left.y) * invert(modulo(right.x - left.x, p), p), p);
  const x = modulo(slope * slope - left.x - right.x, p);
  return { x, y: modulo(slope * (left.x - x) - left.y, p) };
};

const addOnEdwards: Add = (left, right) => {
  if (left === undefined || right === undefined) return left ?? right;
  const { p, d } = ed25519;
  const product = modulo(d * left.x * right.x * left.y * right.y, p);
  return {
    x: modulo((left.x * right.y + left.y * right.x) * invert(modulo(1n + product, p), p), p),
    y: modulo((left.y * right.y + left.x * right.x) * invert(modulo(1n - product, p), p), p),
  };
};

function multiply(scalar: bigint, base: Point, add: Add): Point | undefined {
  let sum: Point | undefined;
  for (const bit of scalar.toString(2)) {
    sum = add(sum, sum);
    if (bit === "1") sum = add(sum, base);
  }
  return sum;
}

function raise(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let power = 1n;
  for (const bit of exponent.toString(2)) {
    power = power * power % modulus;
    if (bit === "1") power = power * base % modulus;
  }
  return power;
}

function modulo(number: bigint, modulus: bigint): bigint {
  const rest = number % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function readNumber(octets: Uint8Array): bigint {
  return BigInt(`0x0${encodeOctets(octets, "hex")}`);
}

/** As 32 octets. */
function writeNumber(number: bigint): string {
  return encodeOctets(decodeOctets(number.toString(16).padStart(64, "0"), "hex"), "base64url");
}
