/** The signing keys of a server. They come from the options, or the server makes, stores and rotates them. */

import { generateSigningJwk, type Jwk } from "../../ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../ground/crypto/platform.ts";
import { createKeyRing, type KeyRing, rereadAfter } from "../../ground/crypto/key_ring.ts";
import { clockSkew, markMargin } from "../oauth/options/clock_skew.ts";
import type { Services } from "../oauth/contracts/feature.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import {
  type CreateJwk,
  fixedKeySet,
  loadRotatingKeySet,
  rotateKeySet,
  type RotationOptions,
} from "./key_set.ts";

/** Provides the keys of a server that does not begin with new keys. */
export interface KeySource {
  /** Returns the private keys to begin with, among them a key for each of these algorithms. */
  readonly first: (algorithms: readonly SigningAlgorithm[]) => readonly Jwk[];
  /** Creates a private key for a rotation. Left out: the server keeps the first keys and does not rotate them. */
  readonly createJwk?: CreateJwk;
}

export interface ServerKeys {
  readonly ring: KeyRing;
  /** Makes new keys. They are published now, and sign when clients can know them, or immediately. */
  rotate(options: { readonly atOnce: boolean }): Promise<void>;
}

type KeyServices = Pick<Services, "store" | "now" | "random">;

/** Creates the key ring, which begins to load or make keys in the background. Without a source, it makes keys. */
export function createServerKeys(
  source: KeySource | undefined,
  settings: Settings,
  services: KeyServices,
): ServerKeys {
  if (source === undefined) return createRotatingKeys(settings, services, { createJwk: generateSigningJwk });
  const { first, createJwk } = source;
  if (createJwk === undefined) return createFixedKeys(first, settings, services);
  const { algorithms, alg } = settings;
  const createInitial = () => fixedKeySet(first(algorithms), alg, Math.floor(services.now()));
  return createRotatingKeys(settings, services, { createJwk, createInitial });
}

function createFixedKeys(
  findKeys: KeySource["first"],
  { algorithms, alg }: Settings,
  { now }: KeyServices,
): ServerKeys {
  // The encryption key must not change when a key for another algorithm is added, because encrypted data must still open.
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

// In seconds. Clients cache the JWKS for 60 seconds, and other processes read the store again after `rereadAfter`. A
// process whose clock is ahead signs with the new key earlier.
const publishAhead = 60 + rereadAfter + clockSkew;

function createRotatingKeys(
  settings: Settings,
  services: KeyServices,
  source: Pick<RotationOptions, "createJwk" | "createInitial">,
): ServerKeys {
  const { algorithms, lifetimes: { accessToken, idToken, session, signingKey: signsFor } } = settings;
  const { store, now, random } = services;
  const options: RotationOptions = {
    ...source,
    store,
    now,
    random,
    algorithms,
    publishAhead,
    // A client may send an ID token as a hint during the whole session, so the key must stay published that long.
    // A process whose clock is ahead signs with the old key until later.
    keepAfter: Math.max(accessToken, idToken, session) + rereadAfter + markMargin,
  };
  const ring = createKeyRing({
    load: (wanted) => loadRotatingKeySet({ ...options, signsFor, algorithms: wanted }),
    algorithms,
    now,
  });
  return {
    ring,
    async rotate({ atOnce }) {
      await rotateKeySet({ ...options, publishAhead: atOnce ? 0 : options.publishAhead });
      await ring.reload();
    },
  };
}
