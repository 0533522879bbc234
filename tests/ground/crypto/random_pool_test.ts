/** The pool of random octets: how often the platform is asked, and what stays in memory. */

import { assertEquals } from "@std/assert";
import { createRandomBytes, randomText } from "../../../src/ground/crypto/bytes.ts";
import { test } from "../../runner.ts";

/** Takes what the platform fills while the work runs. */
function filledBy(work: () => void): readonly Uint8Array[] {
  const { getRandomValues } = crypto;
  const filled: Uint8Array[] = [];
  crypto.getRandomValues = (octets: never) => {
    filled.push(octets);
    return getRandomValues.call(crypto, octets) as never;
  };
  try {
    work();
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
  return filled;
}

test("random octets: the platform is asked for many at once, and what was taken is erased", () => {
  const random = createRandomBytes();
  const pools = filledBy(() => {
    for (let taken = 0; taken < 16_000; taken += 16) randomText(random, 16);
  });
  assertEquals(pools.map(({ length }) => length), [256, 512, 1024, 2048, 4096, 4096, 4096]);
  const others = filledBy(() => [random(4096), randomText(random, 4097), createRandomBytes()(1000)]);
  assertEquals(others.map(({ length }) => length), [4096, 4097, 1000]);
  const [pool] = filledBy(() => [random(16), randomText(random, 16)]);
  assertEquals([...pool!.subarray(0, 32)], new Array(32).fill(0));
  assertEquals(pool!.subarray(32, 64).some((octet) => octet !== 0), true);
});
