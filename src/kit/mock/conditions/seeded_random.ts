/** Pseudorandom octets from a seed. For tests only, because every secret can be computed from the seed. */

import type { RandomBytes } from "../../../ground/crypto/bytes.ts";
import { hmacOctets } from "../../../ground/crypto/platform.ts";
import { describeValue } from "../../../ground/schema/received.ts";

const blockLength = 32;

/** The same calls return the same octets on every platform. The seeds 7 and "7" are equal. */
export function createSeededRandom(seed: number | string): RandomBytes {
  const key = String(requireSeed(seed));
  let counter = 0;
  return (length) => {
    const octets = new Uint8Array(length);
    for (let at = 0; at < length; at += blockLength) {
      const block = hmacOctets(key, String(counter++));
      octets.set(block.subarray(0, length - at), at);
    }
    return octets;
  };
}

function requireSeed(seed: number | string): number | string {
  const isSeed = typeof seed === "number" ? Number.isFinite(seed) : typeof seed === "string" && seed !== "";
  if (isSeed) return seed;
  throw new TypeError(
    `Cannot seed random octets: expected a number or non-empty text, but got ${describeValue(seed)}`,
  );
}
