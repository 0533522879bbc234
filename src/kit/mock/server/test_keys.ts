/** Signing keys for tests only. Their private parts are public, so anyone can sign with them. */

import { generateSigningJwk, type Jwk } from "../../../ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import type { ServerParts } from "../../../server/server.ts";
import { createSeededRandom } from "../conditions/seeded_random.ts";
import { deriveSigningJwk } from "../conditions/derived_key.ts";
import { createRsaJwk, type RsaPrimes } from "../../faults/rsa_jwk.ts";

const rs256: RsaPrimes = {
  p: "1ajrCZXTHEOMwgqDgQ_MXLEET2FqOZor7HBc1ti-l3awQSRSRLopQygmiP5QkDr1mQ19iL02kYndI6AUWcmr2Zh1LzWM" +
    "Nza2SVlUfFCJWBD0hTr94Y4HFc7Ykv12sr7KZpamZmz4KUUcNXM8l05prpxKfGTrmqOOU66E2CRc0pU",
  q: "1r9RnoPD4o_-zQVeE5UWjGcmIL3NtWvEwN6VlSXEIwwVPwcqJuCaR3aMB-pD5nTE2lo4NM3ouytApMk_iSTahAJVkZlq" +
    "4-TSk6sQdk9oFui4G70WIEgknpNnASQg6OdpkIBB4aE2EP4iHxnENe-d4vAqGZjZR9Xpd3MsnQXVhCc",
  qi: "KuA6FbgbeGUja3AgrBuSNyDqlOLAnPXgavcGGUpe5jyDuXJ1U9IUeD7UW07bpZxlwb2zNawdHHps1faUGS0HJx8fq3nn" +
    "wPKS1flO06hbRJvA-FrRp__m4V6bTXJ-OxLl7x9NfZEZnZSU6cyEn0WIOxt0S_GWZCZaVlpcI9KNsfY",
};

const ps256: RsaPrimes = {
  p: "_a-1fbHCPoAk3NT4s4XZnURRNrrYUDRWeImb8vYG7Caa9TjHZ-bQDLG7nxAh3VlwaRIYdSwbGxhhYGbh840z5GmEKxyW" +
    "GW15q1coEZBuGjy3CMGWOtYEWO3ROjukoOzyS0Vee9bp1kVoOLlx-DfOS8xxMYZBHcxNmjBVkRSi5Pc",
  q: "8V_YZtQhGsuX65lSF9Hshg0mMDAC3cY1wrE8GwyEWJYlxM6w-qzexGTYJSpkFzjwElH0CrQH2j75OdVNqnXeX-nim2lk" +
    "nzvRwgAKODSRmuLMOqoxzbkRklK5re9HlmRSz99TOEhp69KbAnSkwKJFbEyXxFgtXczoIbU-OsNw8uE",
  qi: "jv-9RXOPUu1kbH49507LVf5JWrYfwG2F8RQJrgKC61aToynCAEVrM1IJOOdEGqHDqV_pnIKaxgR-IoMEv9n2jKKg3qAv" +
    "mwacmoFcDhX4mRxgi_KvwklFV8chqSk3C-MfOtrQh6XSYOw7nJLq9L0_TRNpfwMuU5gYS3PL8qv49Lo",
};

const es256: Jwk = {
  alg: "ES256",
  kty: "EC",
  crv: "P-256",
  x: "9hdLTg82n0gmi4oILMc2Tv-tPVfEFFCnAqGhCJTRKFg",
  y: "VQLdTUaIuG2OJbTXDT1IW3PTdJkHob0GUYWf3pPx5fA",
  d: "GQxZ9ubkhZ645AYj58RPw5LZuYaVGYc4xaomHR0ddTI",
};

const eddsa: Jwk = {
  alg: "EdDSA",
  kty: "OKP",
  crv: "Ed25519",
  x: "Q-lZPTwBVWKFTKpxth3uOYuuaVCTo_BLZvPczs99oJY",
  d: "p90RLsgKNj-wqo_EKcbOWw4uecRxt3ud0aDEwkftJVg",
};

// RS256 and PS256 have separate keys. One key for both would appear twice in the JWKS with the same kid (RFC 7517 §4.5).
const byAlgorithm: Readonly<Record<SigningAlgorithm, () => Jwk>> = {
  RS256: () => ({ alg: "RS256", ...createRsaJwk(rs256) }),
  PS256: () => ({ alg: "PS256", ...createRsaJwk(ps256) }),
  ES256: () => es256,
  EdDSA: () => eddsa,
};

/** Returns one private JWK for each algorithm, with its `alg`. */
export function listTestKeys(): readonly Jwk[] {
  return Object.values(byAlgorithm).map((create) => create());
}

/** Returns the keys for these algorithms only, in this order, because the server spends time to import each key. */
export function testKeysFor(algorithms: readonly SigningAlgorithm[]): readonly Jwk[] {
  return algorithms.map((alg) => byAlgorithm[alg]());
}

/** Compares the public members only, so that the function also recognizes the public JWK of a test key. */
export function isTestKey(
  jwk: { readonly kty?: string; readonly n?: string; readonly x?: string },
): boolean {
  return listTestKeys().some(({ kty, n, x }) =>
    kty === jwk.kty && (kty === "RSA" ? n === jwk.n : x === jwk.x)
  );
}

/** Without a seed, each rotation creates random keys. The first keys are `signingKeys`, or else the published test keys. */
export function createTestKeySource(
  seed: number | string | undefined,
  signingKeys: readonly Jwk[] | undefined,
): NonNullable<ServerParts["keySource"]> {
  const created = new Map<SigningAlgorithm, number>();

  async function createNext(alg: SigningAlgorithm): Promise<Jwk> {
    if (seed === undefined) return await generateSigningJwk(alg);
    const number = (created.get(alg) ?? 0) + 1;
    created.set(alg, number);
    // The keys have random octets of their own, so that a rotation does not change the ids and codes after it.
    return deriveSigningJwk(alg, createSeededRandom(`${seed} ${alg} key ${number}`));
  }

  return {
    first: (algorithms) => signingKeys ?? testKeysFor(algorithms),
    async createJwk(alg, isFirst) {
      const [testKey] = isFirst && signingKeys === undefined ? testKeysFor([alg]) : [];
      return testKey ?? await createNext(alg);
    },
  };
}
