/** The server's keys in the store: made once, shared by every process that shares it, replaced one after another. */

import { type RandomBytes, randomText, sha256 } from "../../crypto/bytes.ts";
import { generateSigningJwk } from "../../crypto/crypto_key.ts";
import { type Jwk, type SigningAlgorithm, signsWith } from "../../crypto/jwk.ts";
import type { KeptKey, KeySet } from "../../crypto/key_ring.ts";
import { type Entry, type Kind, never, type Store, type Version } from "../../store/store.ts";

const keySets: Kind<KeySet> = { name: "key_set" };
const id = "signing";

export interface KeySetTerms {
  readonly store: Store;
  /** Every algorithm that something here signs with. */
  readonly algorithms: readonly SigningAlgorithm[];
  readonly now: () => number;
  readonly random: RandomBytes;
}

/** A put that another process was faster than: what it met is there no more. */
interface Lost {
  readonly version: Version | undefined;
}

/** Of several processes that start at once one writes its keys, and all others use those. */
export async function loadKeySet(terms: KeySetTerms, lost?: Lost): Promise<KeySet> {
  const { store, algorithms, now } = terms;
  const entry = await store.get(keySets, id, now());
  requireProgress(entry, lost);
  const signing = entry?.value.signing ?? [];
  const missing = algorithms.filter((alg) =>
    !signing.some((key) => key.alg === alg && isPublished(key, now()))
  );
  if (entry !== undefined && missing.length === 0) return entry.value;
  const made = await Promise.all(missing.map(async (alg) => await makeKey(alg, Math.floor(now()))));
  return await writeKeySet(entry, [...signing, ...made], terms) ??
    await loadKeySet(terms, { version: entry?.version });
}

export interface RotationTerms extends KeySetTerms {
  /** Seconds that a new key is published before it signs: at least as long as clients cache the old list. */
  readonly publishAhead: number;
  /** Seconds that an old key stays published: at least as long as anything lives that it signed. */
  readonly keepAfter: number;
}

/** The keys as they are kept, and new ones when those have signed for long enough. */
export async function loadRotatingKeySet(
  terms: RotationTerms & { readonly signsFor: number | undefined },
  lost?: Lost,
): Promise<KeySet> {
  const keySet = await loadKeySet(terms, lost);
  const newest = Math.max(...keySet.signing.map(({ signsFrom }) => signsFrom));
  return terms.signsFor === undefined || terms.now() < newest + terms.signsFor
    ? keySet
    // If another process was faster, it has rotated the keys, and nothing is left to do.
    : await rotateKeySet(terms, undefined, (lost) => loadRotatingKeySet(terms, lost));
}

/** A new key for each algorithm: published now, signing a little later, when the old one begins to retire. */
export async function rotateKeySet(
  terms: RotationTerms,
  lost?: Lost,
  again: (lost: Lost) => Promise<KeySet> = (lost) => rotateKeySet(terms, lost),
): Promise<KeySet> {
  const { store, algorithms, now, publishAhead, keepAfter } = terms;
  const entry = await store.get(keySets, id, now());
  requireProgress(entry, lost);
  const kept = (entry?.value.signing ?? []).filter((key) => isPublished(key, now()));
  // Another server on this store may sign with other algorithms: each key that retires is replaced.
  const replaced = kept.filter((key) => key.publishedUntil === undefined).map((key) => key.alg);
  const made = await Promise.all([...new Set([...algorithms, ...replaced])].map(async (alg) => {
    // Without an older key, the new one has to sign at once.
    const isFirst = !kept.some((key) => key.alg === alg);
    return await makeKey(alg, Math.floor(now()) + (isFirst ? 0 : publishAhead));
  }));
  const retiredAt = Math.floor(now()) + publishAhead;
  const retiring = kept.map((key) => ({
    ...key,
    publishedUntil: key.publishedUntil ?? retiredAt + keepAfter,
  }));
  return await writeKeySet(entry, [...retiring, ...made], terms) ??
    await again({ version: entry?.version });
}

/** A store that refuses a put, and has what it had before, would be asked for ever. */
function requireProgress(entry: Entry<KeySet> | undefined, lost: Lost | undefined): void {
  if (lost === undefined || entry?.version !== lost.version) return;
  throw new Error(
    "The store did not take the signing keys, and has what it had: does its put() write, and return a version?",
  );
}

function isPublished({ publishedUntil }: KeptKey, now: number): boolean {
  return publishedUntil === undefined || now < publishedUntil;
}

async function makeKey(alg: SigningAlgorithm, signsFrom: number): Promise<KeptKey> {
  return { alg, jwk: await generateSigningJwk(alg), signsFrom };
}

/** `undefined`: another process wrote first, and what it wrote counts. */
async function writeKeySet(
  entry: Entry<KeySet> | undefined,
  signing: readonly KeptKey[],
  { store, now, random }: KeySetTerms,
): Promise<KeySet | undefined> {
  const keySet = { signing, sealing: entry?.value.sealing ?? randomText(random, 32) };
  const terms = { expiresAt: never, now: now(), if: entry?.version ?? null };
  return await store.put(keySets, id, keySet, terms) === undefined ? undefined : keySet;
}

/** Keys that were given: nothing is made or kept, and what is sealed with them opens wherever they are given again. */
export function fixedKeySet(keys: readonly Jwk[], preferred: SigningAlgorithm): KeySet {
  return {
    signing: keys.map((jwk) => ({ jwk, alg: signsWith(jwk, preferred)!, signsFrom: 0 })),
    sealing: sha256(`postern sealing key ${keys.map(({ d }) => d).join(" ")}`),
  };
}
