/** Creates, loads and rotates the server's keys in the store. All processes with the same store use the same keys. */

import { type RandomBytes, randomText } from "../../ground/crypto/bytes.ts";
import { type Jwk, signsWith } from "../../ground/crypto/jwk.ts";
import { sha256, type SigningAlgorithm } from "../../ground/crypto/platform.ts";
import type { KeptKey, KeySet } from "../../ground/crypto/key_ring.ts";
import { type Entry, type Kind, never, type Store, type Version } from "../store/store.ts";

export const keySets: Kind<KeySet> = { name: "key_set" };
const id = "signing";

/** Creates a private key. `isFirst`: the key set has no key for this algorithm yet. */
export type CreateJwk = (alg: SigningAlgorithm, isFirst: boolean) => Promise<Jwk>;

interface KeySetOptions {
  readonly store: Store;
  readonly algorithms: readonly SigningAlgorithm[];
  readonly now: () => number;
  readonly random: RandomBytes;
  readonly createJwk: CreateJwk;
  /** Returns the key set of a store that has none. Left out: a key set of new keys. */
  readonly createInitial?: () => KeySet;
}

/** A write that failed because another process wrote first. `version` was read before the write. */
interface FailedWrite {
  readonly version: Version | undefined;
}

/** If several processes start together, the first write wins and the others load its keys. */
export async function loadKeySet(options: KeySetOptions, failedWrite?: FailedWrite): Promise<KeySet> {
  const { store, algorithms, now, createJwk, createInitial } = options;
  const entry = await store.get(keySets, id, now());
  requireChangedKeySet(entry, failedWrite);
  const { signing = [], sealing } = entry?.value ?? createInitial?.() ?? {};
  const missing = algorithms.filter((alg) =>
    !signing.some((key) => key.alg === alg && isPublished(key, now()))
  );
  if (entry !== undefined && missing.length === 0) return entry.value;
  const created = await Promise.all(missing.map(async (alg) => ({
    alg,
    jwk: await createJwk(alg, true),
    signsFrom: Math.floor(now()),
  })));
  return await writeKeySet(entry, { signing: [...signing, ...created], sealing }, options) ??
    await loadKeySet(options, { version: entry?.version });
}

export interface RotationOptions extends KeySetOptions {
  /** Seconds from the publication of a new key to its first signature. At least as long as clients cache the JWKS. */
  readonly publishAhead: number;
  /** Seconds that an old key stays published after it stops signing. At least the longest lifetime of its tokens. */
  readonly keepAfter: number;
}

export async function loadRotatingKeySet(
  options: RotationOptions & { readonly signsFor: number | undefined },
  failedWrite?: FailedWrite,
): Promise<KeySet> {
  const keySet = await loadKeySet(options, failedWrite);
  const newest = Math.max(...keySet.signing.map(({ signsFrom }) => signsFrom));
  return options.signsFor === undefined || options.now() < newest + options.signsFor
    ? keySet
    // If another process wrote first, its key set is loaded. Usually that process has rotated the keys.
    : await rotateKeySet(options, undefined, (failedWrite) => loadRotatingKeySet(options, failedWrite));
}

/** New keys are published now, and sign after `publishAhead` seconds. `retry` is called if another process wrote first. */
export async function rotateKeySet(
  options: RotationOptions,
  failedWrite?: FailedWrite,
  retry: (failedWrite: FailedWrite) => Promise<KeySet> = (failedWrite) => rotateKeySet(options, failedWrite),
): Promise<KeySet> {
  const { store, algorithms, now, createJwk, createInitial, publishAhead, keepAfter } = options;
  const entry = await store.get(keySets, id, now());
  requireChangedKeySet(entry, failedWrite);
  const { signing = [], sealing } = entry?.value ?? createInitial?.() ?? {};
  const published = signing.filter((key) => isPublished(key, now()));
  // Another server with this store may use other algorithms, so each key that retires gets a successor.
  const retiringAlgorithms = published.filter((key) => key.publishedUntil === undefined)
    .map((key) => key.alg);
  const created = await Promise.all([...new Set([...algorithms, ...retiringAlgorithms])].map(async (alg) => {
    // The first key of an algorithm signs immediately, because no older key can sign.
    const isFirst = !published.some((key) => key.alg === alg);
    const signsFrom = Math.floor(now()) + (isFirst ? 0 : publishAhead);
    return { alg, jwk: await createJwk(alg, isFirst), signsFrom };
  }));
  const retiredAt = Math.floor(now()) + publishAhead;
  const retiring = published.map((key) => ({
    ...key,
    publishedUntil: key.publishedUntil ?? retiredAt + keepAfter,
  }));
  return await writeKeySet(entry, { signing: [...retiring, ...created], sealing }, options) ??
    await retry({ version: entry?.version });
}

/** Prevents endless retries: throws if a write failed although no other process has changed the key set. */
function requireChangedKeySet(
  entry: Entry<KeySet> | undefined,
  failedWrite: FailedWrite | undefined,
): void {
  if (failedWrite === undefined || entry?.version !== failedWrite.version) return;
  throw new Error(
    "The store rejected the signing keys, but no other process changed them. " +
      "Check that put() stores the value and returns its version.",
  );
}

function isPublished({ publishedUntil }: KeptKey, now: number): boolean {
  return publishedUntil === undefined || now < publishedUntil;
}

/** Returns `undefined` if another process wrote first; the caller must load that key set. */
async function writeKeySet(
  entry: Entry<KeySet> | undefined,
  { signing, sealing }: { readonly signing: readonly KeptKey[]; readonly sealing: string | undefined },
  { store, now, random }: KeySetOptions,
): Promise<KeySet | undefined> {
  const keySet = { signing, sealing: sealing ?? randomText(random, 32) };
  const terms = { expiresAt: never, now: now(), if: entry?.version ?? null };
  return await store.put(keySets, id, keySet, terms) === undefined ? undefined : keySet;
}

/** The encryption key is derived from the keys, so that another process with the same keys can open the encrypted data. */
export function fixedKeySet(keys: readonly Jwk[], preferred: SigningAlgorithm, signsFrom = 0): KeySet {
  return {
    signing: keys.map((jwk) => ({ jwk, alg: signsWith(jwk, preferred)!, signsFrom })),
    sealing: sha256(`postern sealing key ${keys.map(({ d }) => d).join(" ")}`),
  };
}
