/** Keys: their thumbprints by the vectors, what of them is shown, and what is sealed with one (RFC 7638, 7517). */

import { assertEquals, assertMatch } from "@std/assert";
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from "jose";
import { createRandomBytes } from "../../src/crypto/bytes.ts";
import { publicJwk, unfitForSigning } from "../../src/crypto/jwk.ts";
import { generateSigningJwk } from "../../src/crypto/crypto_key.ts";
import { importSigningKey, signJwt } from "../../src/crypto/jwt.ts";
import { seal, unseal } from "../../src/crypto/seal.ts";
import { test } from "../runner.ts";
import { ed25519Thumbprint, es256Thumbprint, rsaThumbprint, secondEs256Thumbprint } from "../vectors.ts";

const vectors = { rsaThumbprint, ed25519Thumbprint, es256Thumbprint, secondEs256Thumbprint };

for (const [name, { jwk, thumbprint }] of Object.entries(vectors)) {
  test(`thumbprint: ${name} is ${thumbprint} (RFC 7638 §3)`, async () => {
    assertEquals(await calculateJwkThumbprint(jwk as JWK), thumbprint);
    if (jwk.d === undefined) return;
    const key = await importSigningKey(jwk, jwk.kty === "OKP" ? "EdDSA" : "ES256");
    assertEquals([key.kid, key.publicJwk.kid], [thumbprint, thumbprint]);
  });
}

test("public key: is chosen member by member, so that nothing private can come along (D1)", () => {
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

for (const alg of ["ES256", "EdDSA"] as const) {
  test(`signing key: one that was made for ${alg} is fit for it, and signs (D7, D9)`, async () => {
    const jwk = await generateSigningJwk(alg);
    assertEquals(unfitForSigning(jwk, alg), undefined);
    const key = await importSigningKey(jwk, alg);
    const token = await signJwt(key, "at+jwt", { sub: "alice" });
    const { protectedHeader, payload } = await compactVerify(
      token,
      await importJWK(key.publicJwk as JWK, alg),
    );
    assertEquals(protectedHeader, { alg, typ: "at+jwt", kid: key.kid });
    assertEquals(JSON.parse(new TextDecoder().decode(payload)), { sub: "alice" });
  });
}

test("signing key: the fit of each kind for each algorithm (D7)", () => {
  const long = { kty: "RSA", n: "x".repeat(342), e: "AQAB", d: "x" };
  const fits = (jwk: JsonWebKey) =>
    (["RS256", "PS256", "ES256", "EdDSA"] as const).filter((alg) => unfitForSigning(jwk, alg) === undefined);
  assertEquals(fits(long), ["RS256", "PS256"]);
  assertEquals(fits({ ...long, n: "x".repeat(341) }), []);
  assertEquals(fits(rsaThumbprint.jwk), []);
  assertEquals(fits(es256Thumbprint.jwk), ["ES256"]);
  assertEquals(fits(ed25519Thumbprint.jwk), ["EdDSA"]);
  assertEquals(fits({}), []);
});

const random = createRandomBytes();
const key = random(32);

test("seal: opens with the same key for whoever it is bound to", () => {
  for (const text of ["", "a", "€🙂\u0000", "x".repeat(10_000)]) {
    const sealed = seal(key, text, "browser", random);
    assertMatch(sealed, /^[\w-]+$/);
    assertEquals(unseal(key, sealed, "browser"), text);
  }
});

test("seal: never looks the same, and shows nothing", () => {
  const [one, other] = [seal(key, "secret", "b", random), seal(key, "secret", "b", random)];
  assertEquals(one === other, false);
  assertEquals(atob(one.replaceAll("-", "+").replaceAll("_", "/")).includes("secret"), false);
});

test("seal: does not open with another key, for anybody else, or changed at any place", () => {
  const sealed = seal(key, "secret", "browser", random);
  assertEquals(unseal(random(32), sealed, "browser"), undefined);
  assertEquals(unseal(key, sealed, "another"), undefined);
  assertEquals(unseal(key, sealed, ""), undefined);
  for (let at = 0; at < sealed.length - 1; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    assertEquals(unseal(key, changed, "browser"), undefined, `changed at ${at}`);
  }
  for (const text of ["", "A", sealed.slice(0, 30), sealed.slice(0, -2), `${sealed}AA`, "€", "..."]) {
    assertEquals(unseal(key, text, "browser"), undefined, text);
  }
});
