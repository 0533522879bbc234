/** The keys of a server: given with its options, or made, kept in its store and rotated. */

import type { Jwk, SigningAlgorithm } from "../../crypto/jwk.ts";
import { createKeyRing, type KeyRing, rereadAfter } from "../../crypto/key_ring.ts";
import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";
import { fixedKeySet, loadRotatingKeySet, rotateKeySet, type RotationTerms } from "./key_set.ts";

/** Given keys for these algorithms. */
export type FindFixedKeys = (algorithms: readonly SigningAlgorithm[]) => readonly Jwk[];

export interface ServerKeys {
  readonly ring: KeyRing;
  /** New keys: published now, signing once clients can know them, or at once. */
  rotate(terms: { readonly atOnce: boolean }): Promise<void>;
}

type KeyServices = Pick<Services, "store" | "now" | "random">;

/** Begins to load or make the keys. */
export function createServerKeys(
  findFixedKeys: FindFixedKeys | undefined,
  settings: Settings,
  services: KeyServices,
): ServerKeys {
  return findFixedKeys === undefined
    ? createRotatingKeys(settings, services)
    : createFixedKeys(findFixedKeys, settings, services);
}

function createFixedKeys(
  findKeys: FindFixedKeys,
  { algorithms, alg }: Settings,
  { now }: KeyServices,
): ServerKeys {
  // A key for another algorithm may come later: data that was sealed before must still open.
  const { sealing } = fixedKeySet(findKeys(algorithms), alg);
  const ring = createKeyRing({
    load: (wanted) => Promise.resolve({ ...fixedKeySet(findKeys(wanted), alg), sealing }),
    algorithms,
    now,
  });
  return {
    ring,
    rotate: () => Promise.reject(new TypeError("Cannot rotate keys: they were given as signingKeys")),
  };
}

function createRotatingKeys(settings: Settings, services: KeyServices): ServerKeys {
  const { algorithms, lifetimes: { signingKey: signsFor } } = settings;
  const terms = rotationTerms(settings, services);
  const ring = createKeyRing({
    load: (wanted) => loadRotatingKeySet({ ...terms, signsFor, algorithms: wanted }),
    algorithms,
    now: services.now,
  });
  return {
    ring,
    async rotate({ atOnce }) {
      await rotateKeySet({ ...terms, publishAhead: atOnce ? 0 : terms.publishAhead });
      await ring.reload();
    },
  };
}

// Seconds that clients cache the list of keys, and that another process may take to read the keys again.
const publishAhead = 60 + rereadAfter;

function rotationTerms({ algorithms, lifetimes }: Settings, services: KeyServices): RotationTerms {
  const { accessToken, idToken, session } = lifetimes;
  const { store, now, random } = services;
  return {
    ...{ store, now, random, algorithms, publishAhead },
    // An ID token may come back as a hint while its session lives, and another process signs on until it reads again.
    keepAfter: Math.max(accessToken, idToken, session) + rereadAfter,
  };
}
