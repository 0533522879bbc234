/** Octets that repeat with their seed. For tests only: who knows the seed knows every secret made of them. */

import { createHmac } from "node:crypto";
import type { RandomBytes } from "../../crypto/bytes.ts";
import { describeValue } from "../../schema/received.ts";

const blockLength = 32;

/** HMAC-SHA256 over a counter: the same calls give the same octets everywhere. 7 and "7" are one seed. */
export function createSeededRandom(seed: number | string): RandomBytes {
  const key = String(requireSeed(seed));
  let counter = 0;
  return (length) => {
    const octets = new Uint8Array(length);
    for (let at = 0; at < length; at += blockLength) {
      const block = createHmac("sha256", key).update(String(counter++)).digest();
      octets.set(block.subarray(0, length - at), at);
    }
    return octets;
  };
}

function requireSeed(seed: number | string): number | string {
  const isSeed = typeof seed === "number" ? Number.isFinite(seed) : typeof seed === "string" && seed !== "";
  if (isSeed) return seed;
  throw new TypeError(
    `Cannot repeat octets: expected a seed that is a number or some text, but got ${describeValue(seed)}`,
  );
}
