/** Random octets from a seed: they repeat with the seed and the calls, and differ between seeds. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { toBase64url } from "../../../../src/ground/crypto/bytes.ts";
import { createSeededRandom } from "../../../../src/kit/mock/conditions/seeded_random.ts";
import { test } from "../../../runner.ts";

test("seeded random: a seed, or its text, gives the same octets on every runtime and in every version", () => {
  for (const random of [createSeededRandom(7), createSeededRandom("7")]) {
    assertEquals(
      [16, 1, 32, 40].map((length) => toBase64url(random(length))),
      [
        "5N-3k2_tErmSuNDy376ifg",
        "hA",
        "oaedKHdTEY51Hn8FOeCQlSOo1Ghhnaz0nYRVr7vnX98",
        "g4L2M7CdTxO5J6o5A7CRDWPh778jC96OPyMhWFmtwHGLX53UrmobIw",
      ],
    );
  }
});

test("seeded random: similar seeds give different octets", () => {
  const seeds = [0, 1, -1, 1.5, 1e21, "a", "A", "a ", "ä", "11", Number.MAX_SAFE_INTEGER];
  const drawn = seeds.flatMap((seed) => {
    const random = createSeededRandom(seed);
    return [1, 2, 3].map(() => toBase64url(random(16)));
  });
  assertEquals(new Set(drawn).size, 3 * seeds.length);
});

test("seeded random: each call gives the requested number of octets in a new array", () => {
  const random = createSeededRandom("lengths");
  for (const length of [0, 1, 31, 32, 33, 63, 64, 65, 5000]) {
    const octets = random(length);
    assertEquals([octets.length, octets.buffer.byteLength], [length, length]);
  }
  const kept = random(16), before = toBase64url(kept);
  random(16).fill(0);
  assertEquals(toBase64url(kept), before);
});

test("seeded random: a seed that is no number and no text is refused", () => {
  for (const [seed, shown] of [[NaN, "NaN"], [Infinity, "Infinity"], ["", `""`], [undefined, "undefined"]]) {
    const { message } = assertThrows(() => createSeededRandom(seed as string), TypeError);
    assertStringIncludes(message, "expected a number or non-empty text");
    assert(message.endsWith(`but got ${shown}`), message);
  }
});
