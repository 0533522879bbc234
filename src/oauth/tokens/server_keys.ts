/** The signing keys of a server. They come from the options, or the server makes, stores and rotates them. */

import type { Jwk, SigningAlgorithm } from "../../crypto/jwk.ts";
import { createKeyRing, type KeyRing, rereadAfter } from "../../crypto/key_ring.ts";
import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";
import { fixedKeySet, loadRotatingKeySet, rotateKeySet, type RotationTerms } from "./key_set.ts";

/** Returns fixed keys for these algorithms. */
export type FindFixedKeys = (algorithms: readonly SigningAlgorithm[]) => readonly Jwk[];

export interface ServerKeys {
  readonly ring: KeyRing;
  /** Makes new keys. They are published now, and sign when clients can know them, or immediately. */
  rotate(terms: { readonly atOnce: boolean }): Promise<void>;
}

type KeyServices = Pick<Services, "store" | "now" | "random">;

/** Creates the key ring, which begins to load or make keys in the background. */
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
  // The sealing key must not change when a key for another algorithm is added, because sealed data must still open.
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

// In seconds. Clients cache the JWKS for 60 seconds, and other processes read the store again after `rereadAfter`.
const publishAhead = 60 + rereadAfter;

function rotationTerms({ algorithms, lifetimes }: Settings, services: KeyServices): RotationTerms {
  const { accessToken, idToken, session } = lifetimes;
  const { store, now, random } = services;
  return {
    ...{ store, now, random, algorithms, publishAhead },
    // A client may send an ID token as a hint during the whole session, so the key must stay published that long.
    keepAfter: Math.max(accessToken, idToken, session) + rereadAfter,
  };
}
