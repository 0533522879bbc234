/** Signing keys for tests only. Their private parts are public, so anyone can sign with them. */

import { generateSigningJwk, type Jwk } from "../../../ground/crypto/jwk.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../../../ground/crypto/platform.ts";
import { remember } from "../../../ground/values/remember.ts";
import type { ServerParts } from "../../../server/server.ts";
import { createSeededRandom } from "../conditions/seeded_random.ts";
import { deriveSigningJwk } from "../conditions/derived_key.ts";
import { createRsaJwk, ps256, rs256 } from "../../faults/rsa_jwk.ts";

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

const made = new Map<SigningAlgorithm, Jwk>();

/** Returns one private JWK for each algorithm, with its `alg`. */
export function listTestKeys(): readonly Jwk[] {
  return testKeysFor(signingAlgorithms);
}

/** Returns the keys for these algorithms only, in this order. All servers have the same frozen keys, and import each once. */
export function testKeysFor(algorithms: readonly SigningAlgorithm[]): readonly Jwk[] {
  return algorithms.map((alg) => remember(made, alg, () => Object.freeze(byAlgorithm[alg]())));
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
