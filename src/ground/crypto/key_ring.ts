/** The keys that a server signs and encrypts with. They are loaded in the background and reread every few seconds. */

import { fromBase64url } from "./bytes.ts";
import type { Jwk, PublicJwk } from "./jwk.ts";
import type { SigningAlgorithm } from "./platform.ts";
import { importSigningKey, type JwtHeader, type SigningKey } from "./jwt.ts";

/** A private key, with the times when it signs and is published. It must not reach a log, a page or an answer. */
export interface KeptKey {
  readonly alg: SigningAlgorithm;
  readonly jwk: Jwk;
  /** When the key begins to sign. It is published earlier, so that clients know the key before they see a signature. */
  readonly signsFrom: number;
  /** Until when the key is published, so that clients can verify its tokens. Absent: no newer key replaces it yet. */
  readonly publishedUntil?: number;
}

export interface KeySet {
  /** The signing keys, in the order of their creation. */
  readonly signing: readonly KeptKey[];
  /** The encryption key: 32 octets in base64url. */
  readonly sealing: string;
}

export interface KeyRing {
  signingKey(alg: SigningAlgorithm): SigningKey | Promise<SigningKey>;
  prepare(alg: SigningAlgorithm): Promise<void>;
  /** Returns the key that the header of a JWT names, if the key is published now. */
  findPublished(header: Pick<JwtHeader, "kid" | "alg">): Promise<SigningKey | undefined>;
  published(): Promise<readonly SigningKey[]>;
  publicKeys(): Promise<readonly PublicJwk[]>;
  encryptionKey(): Promise<Uint8Array>;
  /** Reads the keys again after this process has changed them. */
  reload(): Promise<void>;
  /** Resolves when no keys are being loaded. */
  settled(): Promise<void>;
}

interface KeyOfRing {
  readonly key: SigningKey;
  readonly kept: KeptKey;
}

interface Imported {
  readonly keys: readonly KeyOfRing[];
  readonly sealing: Uint8Array;
  readonly loadedAt: number;
}

// In seconds. Another process may rotate the keys, and this one must publish a new key before the other signs with it.
export const rereadAfter = 10;

export interface KeyRingOptions {
  readonly load: (algorithms: readonly SigningAlgorithm[]) => Promise<KeySet>;
  readonly algorithms: readonly SigningAlgorithm[];
  readonly now: () => number;
}

/** Creates a key ring, which starts to load in the background. If that fails, the next use of a key loads again. */
export function createKeyRing({ load, algorithms, now }: KeyRingOptions): KeyRing {
  const wanted = new Set(algorithms);
  let current: Imported | undefined;
  let loading: Promise<Imported> | undefined;

  function startLoading(): Promise<Imported> {
    loading ??= importKeys(() => load([...wanted]), now, current).then((imported) => current = imported)
      .finally(() => loading = undefined);
    return loading;
  }

  function findFresh(): Imported | undefined {
    const age = current === undefined ? Infinity : now() - current.loadedAt;
    // The age is negative if the clock was set back.
    return age >= 0 && age < rereadAfter ? current : undefined;
  }

  async function loaded(): Promise<Imported> {
    if (current === undefined) return await startLoading();
    // If the store fails, the loaded keys stay in use.
    if (findFresh() === undefined) await startLoading().catch(() => {});
    return current;
  }

  async function loadSigningKey(alg: SigningAlgorithm): Promise<SigningKey> {
    if (!isThere(alg)) await prepare(alg);
    const key = findSigningKey(await loaded(), alg, now());
    if (key === undefined) throw new Error(`no key signs with ${alg}`);
    return key;
  }

  const isPublished = ({ kept }: KeyOfRing) => now() < (kept.publishedUntil ?? Infinity);

  async function published(): Promise<readonly SigningKey[]> {
    const { keys } = await loaded();
    return keys.filter(isPublished).map(({ key }) => key);
  }

  function isThere(alg: SigningAlgorithm): boolean {
    return current?.keys.some(({ kept }) => kept.alg === alg) ?? false;
  }

  async function prepare(alg: SigningAlgorithm): Promise<void> {
    wanted.add(alg);
    // A running load may have begun without this algorithm, so a second load may be needed.
    for (let loads = 0; loads < 2 && !isThere(alg); loads++) await startLoading();
  }

  startLoading().catch(() => {});
  return {
    prepare,
    signingKey(alg) {
      const fresh = findFresh();
      return (fresh && findSigningKey(fresh, alg, now())) ?? loadSigningKey(alg);
    },
    async findPublished({ kid, alg }) {
      const { keys } = findFresh() ?? await loaded();
      const isNamed = ({ key }: KeyOfRing) => key.kid === kid && key.alg === alg;
      return keys.find((each) => isNamed(each) && isPublished(each))?.key;
    },
    published,
    async publicKeys() {
      return (await published()).map((key) => key.publicJwk);
    },
    async encryptionKey() {
      return (await loaded()).sealing;
    },
    async reload() {
      await loading?.catch(() => {});
      await startLoading();
    },
    async settled() {
      await loading?.catch(() => {});
    },
  };
}

/**
 * Finds the newest key of an algorithm that signs now. It retires all others, also a key that was created before it and
 * begins after it. If the clock was set back, no key may have begun. Then the oldest key signs, because clients know it.
 */
function findSigningKey({ keys }: Imported, alg: SigningAlgorithm, now: number): SigningKey | undefined {
  const isFit = ({ kept }: KeyOfRing) => kept.alg === alg;
  const newest = keys.findLast((each) => isFit(each) && each.kept.signsFrom <= now);
  return (newest ?? keys.find(isFit))?.key;
}

async function importKeys(
  load: () => Promise<KeySet>,
  now: () => number,
  before: Imported | undefined,
): Promise<Imported> {
  const loadedAt = now();
  const keySet = await load();
  // Reuses imported keys, because importing an RSA key takes longer than signing.
  const known = new Map(before?.keys.map(({ kept, key }) => [`${kept.alg} ${kept.jwk.d}`, key]));
  const keys = await Promise.all(keySet.signing.map(async (kept) => ({
    kept,
    key: known.get(`${kept.alg} ${kept.jwk.d}`) ?? await importSigningKey(kept.jwk, kept.alg),
  })));
  return { keys, sealing: fromBase64url(keySet.sealing), loadedAt };
}
