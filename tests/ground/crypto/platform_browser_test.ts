/** The platform of web pages computes what that of the runtimes computes. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as usual from "../../../src/ground/crypto/platform.ts";
import * as inPage from "../../../src/ground/crypto/platform_browser.ts";
import * as usualOctets from "../../../src/ground/values/octets.ts";
import * as pageOctets from "../../../src/ground/values/octets_browser.ts";
import { type Jwk, materialOf, publicMembersOf } from "../../../src/ground/crypto/jwk.ts";
import { keysFor } from "../../keys.ts";
import { test } from "../../runner.ts";

// Assigning them to each other's type compares the types of all functions.
const platforms: readonly (typeof usual)[] = [usual, inPage];
const encodings = ["base64", "base64url", "hex"] as const;
const texts = ["", "a", "ab", "abc", "€🙂\u0000", "\ufeffx", "\ud800", "x".repeat(20_000)];

const plain = (octets: Uint8Array) => [...octets];

test("platform of web pages: hashes, HMAC and scrypt are the same", async () => {
  const octets = Uint8Array.of(1, 2, 3);
  for (const text of texts) {
    for (const algorithm of ["sha256", "sha512"] as const) {
      assertEquals(plain(inPage.digest(algorithm, text)), plain(usual.digest(algorithm, text)));
    }
    assertEquals(inPage.sha256(text), usual.sha256(text));
    for (const key of [text, octets]) {
      assertEquals(inPage.hmacSha256(key, text), usual.hmacSha256(key, text));
      assertEquals(inPage.hmacSha256(key, text, 10), usual.hmacSha256(key, text, 10));
      assertEquals(plain(inPage.hmacOctets(key, text)), plain(usual.hmacOctets(key, text)));
    }
  }
  assertEquals(inPage.certificateThumbprint(octets), usual.certificateThumbprint(octets));
  const options = { salt: octets, length: 32, N: 16, r: 8, p: 1 };
  const derived = plain(usual.scryptAtOnce("pässword", options));
  assertEquals(plain(inPage.scryptAtOnce("pässword", options)), derived);
  assertEquals(plain(await inPage.scrypt("pässword", options)), derived);
});

test("platform of web pages: compares digests", () => {
  for (const { sameDigest } of platforms) {
    assertEquals(
      [["a", "a"], ["", ""], ["ab", "ac"], ["ab", "a"], ["", "a"], ["é", "e"]].map((
        [left = "", right = ""],
      ) => sameDigest(left, right)),
      [true, true, false, false, false, false],
    );
  }
});

test("platform of web pages: opens what the other platform has encrypted, and the other way round", async () => {
  const options = { key: new Uint8Array(32), nonce: new Uint8Array(12), additionalData: Uint8Array.of(7) };
  for (const [sealing, opening] of [[usual, inPage], [inPage, usual], [inPage, inPage]] as const) {
    const sealed = await sealing.encryptOctets(Uint8Array.of(1, 2), options);
    assertEquals(plain(await opening.decryptOctets(sealed, options)), [1, 2]);
    const changed = sealed.map((octet, at) => at === 0 ? octet ^ 1 : octet);
    assertEquals(
      await Promise.resolve().then(() => opening.decryptOctets(changed, options)).catch(() => "refused"),
      "refused",
    );
  }
});

for (const alg of usual.signingAlgorithms) {
  test(`platform of web pages: signs and verifies with ${alg} as the other platform`, async () => {
    const jwk = keysFor([alg])[0]!;
    const [material, members] = [materialOf(jwk), publicMembersOf(jwk)];
    for (const [signing, verifying] of [[usual, inPage], [inPage, usual]] as const) {
      const sign = await signing.importSigner(material, members, alg);
      const verify = await verifying.importVerifier(members, alg);
      assertEquals([await verify("a.b", await sign("a.b")), await verify("a.c", await sign("a.b"))], [
        true,
        false,
      ]);
    }
  });

  test(`platform of web pages: refuses a key for ${alg} that is not whole`, () => {
    const jwk = keysFor([alg])[0]!;
    for (const platform of platforms) {
      platform.requireWholeKey(materialOf(jwk), publicMembersOf(jwk));
      const foreign: Jwk = jwk.kty === "RSA"
        ? { ...jwk, p: jwk.q! }
        : { ...jwk, d: `AAAA${`${jwk.d}`.slice(4)}` };
      assertThrows(() => platform.requireWholeKey(materialOf(foreign), publicMembersOf(foreign)));
    }
  });
}

test("platform of web pages: refuses a public key that is no point of its curve", () => {
  const { kty, crv, x } = keysFor(["ES256"])[0]!;
  for (const platform of platforms) assertThrows(() => platform.requirePublicKey({ kty, crv, x, y: x }));
});

test("platform of web pages: computes the same public keys and finds the same primes", () => {
  for (let count = 1; count < 4; count++) {
    const d = new Uint8Array(32).fill(count);
    for (const crv of ["P-256", "Ed25519"] as const) {
      assertEquals(inPage.derivePublicMembers(crv, d), usual.derivePublicMembers(crv, d));
    }
  }
  for (let number = 3n; number < 400n; number += 2n) {
    assertEquals(inPage.isPrime(number), usual.isPrime(number), `${number}`);
  }
});

test("octets of web pages: encode, decode, compare and count as those of the runtimes", () => {
  for (const text of texts) {
    const octets = usualOctets.utf8Of(text);
    assertEquals(plain(pageOctets.utf8Of(text)), plain(octets));
    assertEquals(pageOctets.countOctets(text), usualOctets.countOctets(text));
    assertEquals(pageOctets.readUtf8(octets), usualOctets.readUtf8(octets));
    for (const encoding of encodings) {
      const encoded = usualOctets.encodeText(text, encoding);
      assertEquals(pageOctets.encodeText(text, encoding), encoded);
      assertEquals(
        pageOctets.encodeOctets(octets, encoding, 1, 3),
        usualOctets.encodeOctets(octets, encoding, 1, 3),
      );
      assertEquals(pageOctets.decodeText(encoded, encoding), usualOctets.decodeText(encoded, encoding));
    }
  }
  const maybeEncoded = [
    "A",
    "AA",
    "AAA=",
    "A-_/+A",
    "a b\nc€",
    "=AAAA",
    "AAAAA",
    "0",
    "0g",
    "zz00",
    "abcz12",
  ];
  for (const text of maybeEncoded) {
    for (const encoding of encodings) {
      assertEquals(
        plain(pageOctets.decodeOctets(text, encoding)),
        plain(usualOctets.decodeOctets(text, encoding)),
        `${text} in ${encoding}`,
      );
    }
  }
  const lists = [[], [0], [1], [1, 2], [255]].map((each) => Uint8Array.from(each));
  for (const left of lists) {
    for (const right of lists) {
      assertEquals(
        Math.sign(pageOctets.compareOctets(left, right)),
        usualOctets.compareOctets(left, right),
      );
    }
  }
  assertEquals(plain(pageOctets.joinOctets(lists)), plain(usualOctets.joinOctets(lists)));
  assertEquals(plain(pageOctets.latin1Of("aÿ")), plain(usualOctets.latin1Of("aÿ")));
  assert(pageOctets.allocateOctets(4).every((octet) => octet === 0));
});
