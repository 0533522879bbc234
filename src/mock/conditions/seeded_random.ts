/** Random octets that repeat with their seed. For tests only: the seed reveals every secret that is made of them. */

import { createHmac } from "node:crypto";
import type { RandomBytes } from "../../crypto/bytes.ts";
import { describeValue } from "../../schema/received.ts";

const blockLength = 32;

/** HMAC-SHA256 over a counter: the same calls give the same octets on every platform. 7 and "7" are the same seed. */
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
    `Cannot seed random octets: expected a number or text that is not empty, but got ${describeValue(seed)}`,
  );
}
