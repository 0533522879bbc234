/** Private keys for faults that publish a key besides those of the server. Each fault has its own. */

import type { Jwk } from "../../../ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import type { PublishedKeyName } from "../../faults/misbehaviour.ts";
import { createSeededRandom } from "../conditions/seeded_random.ts";
import { foreignRsa } from "../../faults/foreign_keys.ts";
import { createRsaJwk } from "../../faults/rsa_jwk.ts";
import { deriveSigningJwk } from "../conditions/derived_key.ts";

/** Returns the same key each time. */
export function publishedKeyFor(name: PublishedKeyName, alg: string): Jwk {
  if (alg !== "RS256" && alg !== "PS256") {
    return deriveSigningJwk(alg as SigningAlgorithm, createSeededRandom(`${name} ${alg}`));
  }
  const [first, second] = primesOf[name];
  return createRsaJwk({ p: primes[first]!, q: primes[second]! });
}

/**
 * Two of the keys, or one of them and the foreign key, share one prime number at most. Their private parts are public, so
 * that does no harm.
 */
const primesOf: Readonly<Record<PublishedKeyName, readonly [number, number]>> = {
  hs256_alg_unpublished: [1, 3],
  kid_missing: [2, 3],
  key_use_enc: [2, 4],
  key_operations_other: [3, 4],
  key_alg_other: [0, 2],
  key_replaced: [0, 3],
  key_withdrawn: [1, 2],
};

// The search for a prime number takes too long for an API that waits for the keys.
const primes = [
  foreignRsa.p,
  foreignRsa.q,
  "_qjk_ZyJA5PT9iEFUzi9aOag9O4dX8yPHJchAO1OGDH_QcTwAC0OiNdprXDHLlHl41H0SKBipLBv9Xt87B2ZyFPCxY70a4X2" +
  "6SvF_XYubLr5FCgjUv0PXSWVjrLe4mlPWY3obiPaThcrzczvV8u0dA1-1gT9moYQH-jKofi_gNM",
  "74J3m4UXfiexBOF0LPpyJJEEq9N0sXbEwuAFbpG_E_AivSd-SWhCIKs2Sktv-Vk4oDqJPz9WsoDMaSI42TuRMlPhYk1Ve2cu" +
  "2dPn7XHFZfbuAbESQNtzClRdE6CeCJbzCSZYZwP1UmKMYKsQ5joFgIvJoBWNCT5AASB0LAKApck",
  "8fX04yCCurY3U9ZIvhu8J6LDGkbcEJXvxSl_JJiwxUxMwvSYVqV50Hs1dpHRKxNwg62ZRoR0ygMNKwJkHVWmAQvtza9fuYkX" +
  "8WuuHrBSwGobfnzu3csXwwDCqfiIZ9wU589QKSPBKaQxsnR8S84AzKg90QkQe5JaPaIeZyq7h3U",
];
