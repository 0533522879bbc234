/** Private keys for faults that publish a key besides those of the server. Each fault has its own. */

import type { Jwk } from "../../../ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import { remember } from "../../../ground/values/remember.ts";
import type { PublishedKeyName } from "../../faults/misbehaviour.ts";
import { createSeededRandom } from "../conditions/seeded_random.ts";
import { foreignRsa } from "../../faults/foreign_keys.ts";
import { createRsaJwk, ps256, rs256 } from "../../faults/rsa_jwk.ts";
import { deriveSigningJwk } from "../conditions/derived_key.ts";

/** Returns the same frozen key each time, so that it is computed, proved and imported once. */
export function publishedKeyFor(name: PublishedKeyName, alg: string): Jwk {
  return remember(made, `${name} ${alg}`, () => Object.freeze(createPublishedKey(name, alg)));
}

const made = new Map<string, Jwk>();

function createPublishedKey(name: PublishedKeyName, alg: string): Jwk {
  if (alg !== "RS256" && alg !== "PS256") {
    return deriveSigningJwk(alg as SigningAlgorithm, createSeededRandom(`${name} ${alg}`));
  }
  const [first, second] = primesOf[name];
  return createRsaJwk({ p: primes[first]!, q: primes[second]! });
}

/**
 * Two of the keys, or one of them and a test key or the foreign key, share one prime number at most. Their private parts are
 * public, so that does no harm.
 */
const primesOf: Readonly<Record<PublishedKeyName, readonly [number, number]>> = {
  hs256_alg_unpublished: [1, 3],
  kid_missing: [2, 4],
  key_use_enc: [3, 4],
  key_operations_other: [1, 4],
  key_alg_other: [0, 2],
  key_alg_signatures: [0, 4],
  key_replaced: [0, 3],
  key_withdrawn: [1, 2],
};

// The search for a prime number takes too long for an API that waits for the keys.
const primes = [foreignRsa.p, foreignRsa.q, rs256.p, rs256.q, ps256.p];
