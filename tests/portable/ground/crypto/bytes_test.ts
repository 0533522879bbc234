/** Bytes: base64url, SHA-256 and HMAC by their test vectors, comparison of digests, random bytes. */

import { assertEquals, assertMatch } from "@std/assert";
import {
  createRandomBytes,
  fromBase64url,
  randomText,
  toBase64url,
} from "../../../../src/ground/crypto/bytes.ts";
import { hmacSha256, sameDigest, sha256 } from "../../../../src/ground/crypto/platform.ts";
import { test } from "../../../runner.ts";

// RFC 7636 appendices A and B.
const octets = Uint8Array.of(3, 236, 255, 224, 193);
const verifierOctets = [
  [116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186],
  [22, 212, 37, 77, 105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121],
].flat();
const challengeOctets = [
  [19, 211, 30, 150, 26, 26, 216, 236, 47, 22, 177, 12, 76, 152, 46, 8],
  [118, 168, 120, 173, 109, 241, 68, 86, 110, 225, 137, 74, 203, 112, 249, 195],
].flat();

test("bytes: base64url has no padding, and - and _ instead of + and / (RFC 7636 appendix A)", () => {
  assertEquals(toBase64url(octets), "A-z_4ME");
  assertEquals([...fromBase64url("A-z_4ME")], [...octets]);
  assertEquals(toBase64url(octets.subarray(1, 3)), "7P8");
  assertEquals(toBase64url(new Uint8Array()), "");
});

test("bytes: SHA-256 of the verifier's octets is the challenge (RFC 7636 appendix B)", () => {
  const verifier = toBase64url(Uint8Array.from(verifierOctets));
  assertEquals(verifier, "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
  assertEquals([...fromBase64url(sha256(verifier))], challengeOctets);
});

test("bytes: SHA-256 hashes a text as UTF-8", () => {
  assertEquals(sha256("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  assertEquals(sha256("é") === sha256("e\u0301"), false);
});

test("bytes: HMAC-SHA-256 (RFC 4231 test case 2)", () => {
  const expected = "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM";
  assertEquals(hmacSha256("Jefe", "what do ya want for nothing?"), expected);
});

test("bytes: sameDigest compares two digests", () => {
  assertEquals(sameDigest(sha256("a"), sha256("a")), true);
  assertEquals(sameDigest(sha256("a"), sha256("b")), false);
  assertEquals(sameDigest(sha256("a"), ""), false);
  assertEquals(sameDigest(sha256("a"), sha256("a").slice(1)), false);
  // It has as many characters, but more octets.
  assertEquals(sameDigest(`${sha256("a").slice(1)}\u00ad`, sha256("a")), false);
});

test("bytes: random bytes do not repeat, for any length", () => {
  const random = createRandomBytes();
  const texts = Array.from({ length: 2000 }, () => randomText(random, 16));
  assertEquals(new Set(texts).size, texts.length);
  for (const text of texts) assertMatch(text, /^[\w-]{22}$/);
  for (const length of [0, 1, 32, 4095, 4096, 4097, 10_000]) {
    assertEquals(random(length).byteLength, length);
    assertEquals(fromBase64url(randomText(random, length)).byteLength, length);
  }
  const given = random(32);
  const copy = [...given];
  for (let count = 0; count < 500; count++) random(32);
  assertEquals([...given], copy);
});

test("bytes: a source of its own gives the octets of a random text", () => {
  assertEquals(randomText((length) => octets.subarray(0, length), 5), "A-z_4ME");
});
