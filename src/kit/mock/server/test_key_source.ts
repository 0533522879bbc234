/** The signing keys of a mock: published test keys at first, and new keys after each rotation. */

import { generateSigningJwk, type Jwk } from "../../../server/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../server/crypto/platform.ts";
import type { ServerParts } from "../../../server/server.ts";
import { createSeededRandom } from "../conditions/seeded_random.ts";
import { deriveSigningJwk } from "./derived_key.ts";
import { testKeysFor } from "./test_keys.ts";

/**
 * Mocks with the same seed have the same keys after a rotation. Without a seed, each rotation creates random keys. The
 * first keys are `signingKeys`, or else the published test keys.
 */
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
