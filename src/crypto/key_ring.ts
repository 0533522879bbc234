/** The keys that a server signs and seals with, imported once. */

import { fromBase64url } from "./bytes.ts";
import type { PublicJwk, SigningAlgorithm } from "./jwk.ts";
import { importSigningKey, type SigningKey } from "./jwt.ts";

/** Keys as they are kept. Private: never in a log, a page or an answer. */
export interface KeySet {
  readonly signing: readonly { readonly alg: SigningAlgorithm; readonly jwk: JsonWebKey }[];
  /** 32 octets in base64url. */
  readonly sealing: string;
}

export interface KeyRing {
  /** The key that signs with this algorithm. */
  signingKey(alg: SigningAlgorithm): Promise<SigningKey>;
  publicKeys(): Promise<readonly PublicJwk[]>;
  sealingKey(): Promise<Uint8Array>;
  /** Resolves when no work on keys is under way. */
  settled(): Promise<void>;
}

interface Imported {
  readonly signing: ReadonlyMap<SigningAlgorithm, SigningKey>;
  readonly sealing: Uint8Array;
}

/** Starts to load at once, in the background. A load that failed is tried again by whoever needs a key next. */
export function createKeyRing(load: () => Promise<KeySet>): KeyRing {
  let loading: Promise<Imported> | undefined;

  function loaded(): Promise<Imported> {
    loading ??= importKeys(load).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  loaded().catch(() => {});
  return {
    async signingKey(alg) {
      const key = (await loaded()).signing.get(alg);
      if (key === undefined) throw new Error(`no key signs with ${alg}`);
      return key;
    },
    async publicKeys() {
      return [...(await loaded()).signing.values()].map((key) => key.publicJwk);
    },
    async sealingKey() {
      return (await loaded()).sealing;
    },
    async settled() {
      await loading?.catch(() => {});
    },
  };
}

async function importKeys(load: () => Promise<KeySet>): Promise<Imported> {
  const keySet = await load();
  const keys = await Promise.all(keySet.signing.map(({ jwk, alg }) => importSigningKey(jwk, alg)));
  return {
    signing: new Map(keys.map((key) => [key.alg, key])),
    sealing: fromBase64url(keySet.sealing),
  };
}
