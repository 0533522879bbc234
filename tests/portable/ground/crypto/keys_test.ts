/** Keys: thumbprints by their test vectors, public members, fitness for an algorithm, and encrypted texts (RFC 7638, 7517). */

import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { calculateJwkThumbprint, type JWK } from "jose";
import { createRandomBytes, fromBase64url, toBase64url } from "../../../../src/ground/crypto/bytes.ts";
import {
  encryptsWith,
  generateSigningJwk,
  isKnownKey,
  isUsefulKey,
  isVerifyingKey,
  type Jwk,
  privateMembers,
  publicJwk,
  publicMembersOf,
  signsWith,
  unfitForSigning,
  verifiesWith,
} from "../../../../src/ground/crypto/jwk.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../../../../src/ground/crypto/platform.ts";
import {
  importSigningKey,
  readUnverified,
  signWithHeader,
  verifyJwt,
} from "../../../../src/ground/crypto/jwt.ts";
import { decryptText, encryptText } from "../../../../src/ground/crypto/encrypted_text.ts";
import { runtime, test } from "../../../runner.ts";
import {
  ed25519Thumbprint,
  es256Thumbprint,
  rsaThumbprint,
  secondEs256Thumbprint,
} from "../../../vectors.ts";

/** Two keys for each algorithm. Those of RSA are made once, because that is slow. */
const [rs256, ps256] = [await generateSigningJwk("RS256"), await generateSigningJwk("PS256")];
const generated: Readonly<Record<SigningAlgorithm, readonly [JsonWebKey, JsonWebKey]>> = {
  RS256: [rs256, ps256],
  PS256: [ps256, rs256],
  ES256: [await generateSigningJwk("ES256"), await generateSigningJwk("ES256")],
  EdDSA: [await generateSigningJwk("EdDSA"), await generateSigningJwk("EdDSA")],
};

const vectors = { rsaThumbprint, ed25519Thumbprint, es256Thumbprint, secondEs256Thumbprint };

for (const [name, { jwk, thumbprint }] of Object.entries(vectors)) {
  test(`thumbprint: ${name} is ${thumbprint} (RFC 7638 §3)`, async () => {
    assertEquals(await calculateJwkThumbprint(jwk as JWK), thumbprint);
    if (jwk.d === undefined) return;
    const key = await importSigningKey(jwk, jwk.kty === "OKP" ? "EdDSA" : "ES256");
    assertEquals([key.kid, key.publicJwk.kid], [thumbprint, thumbprint]);
  });
}

test("public key: has a fixed list of members, so it never has a private one (OpenID Connect Discovery §3)", () => {
  const all = {
    ...es256Thumbprint.jwk,
    k: "x",
    p: "x",
    q: "x",
    dp: "x",
    dq: "x",
    qi: "x",
    future: "x",
  };
  const shown = publicJwk(all, "kid", "ES256");
  assertEquals(Object.keys(shown).sort(), ["alg", "crv", "kid", "kty", "use", "x", "y"]);
});

test("signing key: PS256 refuses a signature without its leading zero (RFC 8017 §8.1.2)", async () => {
  const key = await importSigningKey(generated.PS256[0], "PS256");
  let signature;
  // The salt is another one each time, so every 256th signature begins with a zero.
  do signature = new Uint8Array(await key.sign("header.claims")); while (signature[0] !== 0);
  assertEquals(await key.verify("header.claims", signature), true);
  assertEquals(await key.verify("header.claims", signature.slice(1)), false);
});

for (const alg of signingAlgorithms) {
  test(`signing key: ${alg} verifies its own signature and no other, whatever its length (RFC 7515 §5.2)`, async () => {
    const [jwk, other] = generated[alg];
    const key = await importSigningKey(jwk, alg);
    const text = "header.claims";
    const signature = new Uint8Array(await key.sign(text));
    assertEquals(await key.verify(text, signature), true);
    const another = await importSigningKey(other, alg);
    const changed = signature.with(10, signature[10]! ^ 1);
    const wrong = [
      new Uint8Array(await another.sign(text)),
      changed,
      signature.slice(1),
      new Uint8Array([...signature, 0]),
      new Uint8Array([...signature, ...signature]),
      new Uint8Array(signature.length),
      new Uint8Array(signature.length).fill(255),
      new Uint8Array(1),
      new Uint8Array(0),
    ];
    for (const each of wrong) assertEquals(await key.verify(text, each), false, toBase64url(each));
    assertEquals(await key.verify("header.other", signature), false);
  });
}

/** Writes a positive INTEGER in DER. */
function derNumber(octets: Uint8Array): readonly number[] {
  const digits = octets.slice(octets.findIndex((octet) => octet > 0));
  const padded = digits[0]! < 128 ? [...digits] : [0, ...digits];
  return [2, padded.length, ...padded];
}

test("signing key: an ES256 signature in DER is refused (RFC 7518 §3.4)", async () => {
  const key = await importSigningKey(await generateSigningJwk("ES256"), "ES256");
  const signature = new Uint8Array(await key.sign("text"));
  const numbers = [...derNumber(signature.subarray(0, 32)), ...derNumber(signature.subarray(32))];
  assertEquals(await key.verify("text", signature), true);
  assertEquals(await key.verify("text", new Uint8Array([0x30, numbers.length, ...numbers])), false);
});

test("signing key: a generated key has no alg, use, key_ops or ext, on any runtime", () => {
  for (const [jwk] of Object.values(generated)) {
    const { alg: member, use, key_ops: operations, ext } = jwk;
    assertEquals([member, use, operations, ext], [undefined, undefined, undefined, undefined]);
  }
});

test("signing key: which algorithms each kind of key is fit for (RFC 7518 §3.3)", () => {
  const fits = (jwk: JsonWebKey) =>
    signingAlgorithms.filter((alg) => unfitForSigning(jwk, alg) === undefined);
  assertEquals(fits(rs256), ["RS256", "PS256"]);
  assertEquals(fits(rsaThumbprint.jwk), []);
  assertEquals(fits(es256Thumbprint.jwk), ["ES256"]);
  assertEquals(fits(ed25519Thumbprint.jwk), ["EdDSA"]);
  assertEquals(fits({}), []);
});

test("keys: Ed25519 is EdDSA by its newer name, for signing and for verifying (RFC 9864 §2.2)", () => {
  const { d: _d, ...publicKey } = ed25519Thumbprint.jwk;
  assertEquals(signsWith({ ...ed25519Thumbprint.jwk, alg: "Ed25519" }, "RS256"), "EdDSA");
  assertEquals(verifiesWith({ ...publicKey, alg: "Ed25519" }), ["EdDSA"]);
  assertEquals(verifiesWith({ ...publicKey, alg: "ES256" }), []);
  assertEquals(signsWith({ kty: "OKP", alg: "Ed448" }, "RS256"), undefined);
});

test("signing key: the refusal of an unfit key says why (RFC 7517, 7518 §3.3)", () => {
  const [rsa, otherRsa] = generated.RS256;
  const [otherEc, otherOkp] = [generated.ES256[0], generated.EdDSA[0]];
  const ec = es256Thumbprint.jwk;
  const okp = ed25519Thumbprint.jwk;
  const zeros = toBase64url(new Uint8Array([...new Uint8Array(128), ...fromBase64url(rsa.n!).slice(0, 128)]));
  const { p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...bare } = rsa;
  const number = 5 as unknown as string;
  const withZero = (coordinate: string) => toBase64url(new Uint8Array([0, ...fromBase64url(coordinate)]));
  const cases: readonly (readonly [JsonWebKey, SigningAlgorithm, string])[] = [
    [{ ...rsa, n: zeros }, "RS256", "RS256 needs an RSA key of 2048 bits or more"],
    [{ ...rsa, n: "A".repeat(342) }, "PS256", "PS256 needs an RSA key of 2048 bits or more"],
    [{ ...rsa, n: number }, "RS256", "its member n must be"],
    [{ ...rsa, e: "" }, "RS256", "its member e must be"],
    [{ ...rsa, d: "" }, "RS256", "its member d must be"],
    [{ ...rsa, d: "AQ" }, "RS256", "the key is not complete"],
    [{ ...rsa, d: rsa.d!.slice(0, 168) }, "RS256", "the key is not complete"],
    [{ ...rsa, qi: "a+b=" }, "RS256", "its member qi must be"],
    [bare, "RS256", "the key is not complete"],
    [{ ...ec, d: "" }, "ES256", "its member d must be"],
    [{ ...ec, d: number }, "ES256", "its member d must be"],
    [{ ...ec, d: "AQ" }, "ES256", "the key is not complete"],
    [{ ...ec, y: ec.x! }, "ES256", "the key is not complete"],
    [{ ...ec, x: withZero(ec.x!) }, "ES256", "the key is not complete"],
    [{ ...ec, y: withZero(ec.y!) }, "ES256", "the key is not complete"],
    [{ ...ec, d: otherEc.d! }, "ES256", "the key is not complete"],
    [{ ...okp, d: otherOkp.d! }, "EdDSA", "the key is not complete"],
    [{ ...okp, x: otherOkp.x! }, "EdDSA", "the key is not complete"],
    [{ ...okp, x: okp.x!.slice(0, 20) }, "EdDSA", "the key is not complete"],
    [{ ...rsa, n: otherRsa.n! }, "RS256", "the key is not complete"],
    [{ ...ec, use: "enc" }, "ES256", "does not allow signing"],
    [{ ...rsa, key_ops: ["verify"] }, "RS256", "does not allow signing"],
    [{ kty: "EC", crv: "P-256", x: ec.x!, d: ec.d! }, "ES256", "its member y must be"],
    [{ ...okp, d: "" }, "EdDSA", "its member d must be"],
    [{ ...okp, x: number }, "EdDSA", "its member x must be"],
    [{ kty: "OKP", crv: "Ed25519", x: okp.x! }, "EdDSA", "a signing key needs its private member d"],
  ];
  for (const [jwk, alg, words] of cases) assertStringIncludes(`${unfitForSigning(jwk, alg)}`, words);
});

for (const alg of ["ES256", "EdDSA"] as const) {
  const name = `signing key: an ${alg} key with the public members of another key is refused (RFC 7518 §6)`;
  if (alg === "ES256" && runtime === "deno") {
    test.skip(name, "WebCrypto of Deno imports it");
    continue;
  }
  test(name, async () => {
    const [{ d }, other] = generated[alg];
    const mixed = { ...other, d: d! };
    await assertRejects(() => importSigningKey(mixed, alg), TypeError);
  });
}

test("signing key: a frozen key is imported once for each algorithm, and one that can change each time", async () => {
  const frozen = Object.freeze({ ...generated.RS256[0] });
  const imported = await importSigningKey(frozen, "RS256");
  assert(await importSigningKey(frozen, "RS256") === imported);
  assertEquals((await importSigningKey(frozen, "PS256")).alg, "PS256");
  const changing = { ...generated.ES256[0] };
  const { kid } = await importSigningKey(changing, "ES256");
  Object.assign(changing, generated.ES256[1]);
  assert((await importSigningKey(changing, "ES256")).kid !== kid);
});

test("signing key: a key that was fit is refused after a change, and a frozen one only if it never was fit", () => {
  const [one, other] = generated.ES256;
  const changing = { ...one };
  assertEquals(unfitForSigning(changing, "ES256"), undefined);
  changing.d = other.d!;
  const reason = "the key is not complete: a member is missing, or its members do not belong together";
  const frozen = Object.freeze({ ...changing });
  for (const key of [changing, frozen, frozen]) assertEquals(unfitForSigning(key, "ES256"), reason);
  const whole = Object.freeze({ ...one });
  for (const key of [whole, whole]) assertEquals(unfitForSigning(key, "ES256"), undefined);
});

test("public key: a key whose use or key_ops exclude verifying does not verify (RFC 7517 §4.2, §4.3)", () => {
  const { d: _d, ...jwk } = es256Thumbprint.jwk;
  const verifies = (more: JsonWebKey) => isVerifyingKey({ ...jwk, ...more });
  assertEquals([verifies({}), verifies({ use: "sig" }), verifies({ key_ops: ["verify"] })], [
    true,
    true,
    true,
  ]);
  assertEquals([verifies({ use: "enc" }), verifies({ key_ops: ["sign"] }), verifies({ key_ops: [] })], [
    false,
    false,
    false,
  ]);
  assertEquals(verifies({ key_ops: "verify" as unknown as string[] }), false);
});

test("public key: what a key is good for, by its type, curve, use and alg, and nothing with a private member (RFC 7517 §4, 7518 §4.1)", async () => {
  const [rsa, ec, okp] = [rs256, es256Thumbprint.jwk, ed25519Thumbprint.jwk].map(publicMembersOf);
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-384" }, true, ["sign"]);
  const other = publicMembersOf(await crypto.subtle.exportKey("jwk", pair.publicKey));
  const forEncryption = { use: "enc" };
  const rows: readonly (readonly [jwk: Jwk, good: string])[] = [
    ...[rsa, ec, okp].map((jwk) => [jwk!, "known useful verifies"] as const),
    [{ ...rsa, ...forEncryption }, "known useful RSA-OAEP-256"],
    [{ ...rsa, ...forEncryption, alg: "RSA-OAEP-256" }, "known useful RSA-OAEP-256"],
    [{ ...rsa, ...forEncryption, alg: "RSA-OAEP" }, "known"],
    [{ ...ec, ...forEncryption }, "known useful ECDH-ES"],
    [{ ...ec, ...forEncryption, alg: "RSA-OAEP-256" }, "known"],
    [{ ...ec, alg: "ES384" }, "known"],
    [{ ...ec, key_ops: ["deriveKey"] }, "known"],
    [{ ...okp, ...forEncryption }, "known"],
    [other, ""],
    ...privateMembers.flatMap((name) => [rsa, ec].map((jwk) => [{ ...jwk, [name]: "AQ" }, ""] as const)),
    ...privateMembers.map((name) => [{ ...ec, ...forEncryption, [name]: "AQ" }, "ECDH-ES"] as const),
    [{ ...other, ...forEncryption }, ""],
  ];
  for (const [jwk, good] of rows) {
    const found = [
      isKnownKey(jwk) && "known",
      isUsefulKey(jwk) && "useful",
      isVerifyingKey(jwk) && "verifies",
    ];
    assertEquals([...found, encryptsWith(jwk)].filter(Boolean).join(" "), good, JSON.stringify(jwk));
  }
});

test("public key: the length of an RSA key is that of its modulus without leading zeros (RFC 7518 §3.3)", () => {
  const { kty, n, e } = rs256;
  const octets = fromBase64url(n!);
  const zeros = toBase64url(new Uint8Array([...new Uint8Array(128), ...octets.slice(0, 128)]));
  const oneBitLess = toBase64url(octets.map((octet, at) => at === 0 ? octet & 0x7f : octet));
  const verifies = (n: string) => isVerifyingKey({ kty: kty!, n, e: e! });
  assertEquals([n!, `AAAA${n}`, zeros, oneBitLess].map(verifies), [true, true, false, false]);
});

test("jwt: a header whose kid or typ is not a string does not verify (RFC 7515 §4.1)", async () => {
  const signing = await importSigningKey(es256Thumbprint.jwk, "ES256");
  const verify = async (more: Readonly<Record<string, unknown>>) => {
    const token = await signWithHeader(signing, { alg: "ES256", ...more }, { sub: "alice" });
    return [(await verifyJwt(token, () => signing))?.claims["sub"], readUnverified(token)?.["sub"]];
  };
  for (const good of [{}, { kid: "a" }, { kid: "a", typ: "JWT" }]) {
    assertEquals(await verify(good), ["alice", "alice"]);
  }
  const badHeaders = [{ kid: 5 }, { kid: null }, { kid: ["a"] }, { typ: 5 }, { typ: null }, {
    kid: "a",
    typ: {},
  }];
  for (const bad of badHeaders) {
    assertEquals(await verify(bad), [undefined, undefined]);
  }
});

const random = createRandomBytes();
const key = random(32);

test("encrypted text: opens with the same key and the same binding", async () => {
  for (const text of ["", "a", "€🙂\u0000", "x".repeat(10_000)]) {
    const encrypted = await encryptText(key, text, "browser", random);
    assertMatch(encrypted, /^[\w-]+$/);
    assertEquals(await decryptText(key, encrypted, "browser"), text);
  }
});

test("encrypted text: differs each time and does not contain the text", async () => {
  const [one, other] = [
    await encryptText(key, "secret", "b", random),
    await encryptText(key, "secret", "b", random),
  ];
  assertEquals(one === other, false);
  assertEquals(atob(one.replaceAll("-", "+").replaceAll("_", "/")).includes("secret"), false);
});

test("encrypted text: does not open with another key, another binding, or any character changed", async () => {
  const encrypted = await encryptText(key, "secret", "browser", random);
  assertEquals(await decryptText(random(32), encrypted, "browser"), undefined);
  assertEquals(await decryptText(key, encrypted, "another"), undefined);
  assertEquals(await decryptText(key, encrypted, ""), undefined);
  for (let at = 0; at < encrypted.length - 1; at++) {
    const changed = encrypted.slice(0, at) + (encrypted[at] === "A" ? "B" : "A") + encrypted.slice(at + 1);
    assertEquals(await decryptText(key, changed, "browser"), undefined, `changed at ${at}`);
  }
  const texts = ["", "A", encrypted.slice(0, 30), encrypted.slice(0, -2), `${encrypted}AA`, "€", "..."];
  for (const text of texts) {
    assertEquals(await decryptText(key, text, "browser"), undefined, text);
  }
});
