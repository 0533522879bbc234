/** The server's keys in the store: made once, shared by every process that shares it. */

import { type RandomBytes, randomText, sha256 } from "../crypto/bytes.ts";
import type { SigningAlgorithm } from "../crypto/jwk.ts";
import { generateSigningJwk } from "../crypto/jwt.ts";
import type { KeySet } from "../crypto/key_ring.ts";
import type { Kind, Store } from "../store/store.ts";

const keySets: Kind<KeySet> = { name: "key_set" };
const id = "signing";

// Keys have no end of their own; a record has to have one. This is the year 9999.
const never = 253_402_300_799;

export interface KeySetTerms {
  readonly store: Store;
  readonly alg: SigningAlgorithm;
  readonly now: () => number;
  readonly random: RandomBytes;
}

/** Of several processes that start at once one writes its keys, and all others use those. */
export async function loadKeySet(terms: KeySetTerms): Promise<KeySet> {
  const { store, alg, now, random } = terms;
  const entry = await store.get(keySets, id, now());
  if (entry?.value.signing.some((key) => key.alg === alg)) return entry.value;
  const made = { alg, jwk: await generateSigningJwk(alg) };
  const keySet: KeySet = {
    signing: [...entry?.value.signing ?? [], made],
    sealing: entry?.value.sealing ?? randomText(random, 32),
  };
  const version = await store.put(keySets, id, keySet, {
    expiresAt: never,
    now: now(),
    if: entry?.version ?? null,
  });
  return version === undefined ? await loadKeySet(terms) : keySet;
}

/** Keys that were given: nothing is made or kept, and what is sealed with them opens wherever they are given again. */
export function fixedKeySet(jwk: JsonWebKey, alg: SigningAlgorithm): KeySet {
  return { signing: [{ jwk, alg }], sealing: sha256(`postern sealing key ${jwk.d}`) };
}
