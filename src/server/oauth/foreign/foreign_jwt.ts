/** Verifies JWTs that another party has signed with one of its keys. */

import { type Jwk, publicJwk, thumbprint, verifiesWith } from "../../../ground/crypto/jwk.ts";
import { type VerifiedJwt, type VerifyingKey, verifyJwt } from "../../../ground/crypto/jwt.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { createKeyFinder, type KeySource } from "./foreign_keys.ts";
import type { Services } from "../contracts/feature.ts";

/**
 * Resolves to `undefined` if no key of the source, or more than one, fits the JWT, or if the signature is wrong. Throws a
 * refusal if the server cannot fetch the keys.
 */
export type VerifyForeignJwt = (
  jwt: string,
  source: KeySource,
  exchange: Exchange,
  services: Services,
) => Promise<VerifiedJwt | undefined>;

export function createForeignJwtVerifier(): VerifyForeignJwt {
  const finder = createKeyFinder();
  const readKeys = createKeyReader();
  const verifyWith = (jwt: string, keys: readonly Jwk[], { algorithms }: KeySource) =>
    verifyJwt(
      jwt,
      (kid, alg) =>
        algorithms?.some((each) => each === alg) === false ? undefined : findKey(readKeys(keys), kid, alg),
    );
  return async (jwt, source, exchange, services) => {
    const known = await finder.find(source, exchange, services);
    const verified = await verifyWith(jwt, known, source);
    if (verified !== undefined) return verified;
    // The other party may have replaced its keys.
    const newer = await finder.findNewer(known, source, exchange, services);
    return newer && await verifyWith(jwt, newer, source);
  };
}

export interface ForeignKey extends VerifyingKey {
  readonly kid: string | undefined;
}

/** Prepares the keys of each array once. */
function createKeyReader(): (keys: readonly Jwk[]) => readonly ForeignKey[] {
  const cache = new WeakMap<readonly Jwk[], readonly ForeignKey[]>();
  return (known) => {
    let keys = cache.get(known);
    if (keys === undefined) cache.set(known, keys = known.flatMap(readForeignKey));
    return keys;
  };
}

/** Returns a key for each algorithm with which it can verify. */
export function readForeignKey(jwk: Jwk): readonly ForeignKey[] {
  const { kid } = jwk;
  return verifiesWith(jwk).map((alg) => ({
    kid,
    alg,
    publicJwk: publicJwk(jwk, kid ?? thumbprint(jwk), alg),
  }));
}

/** A JWT without kid matches every key. Returns `undefined` if several keys match. */
function findKey(
  keys: readonly ForeignKey[],
  kid: string | undefined,
  alg: string,
): VerifyingKey | undefined {
  const fitting = keys.filter((key) => key.alg === alg);
  const named = fitting.filter((key) => key.kid === kid);
  const matches = kid === undefined
    ? fitting
    : named.length > 0
    ? named
    : fitting.filter((key) => key.kid === undefined);
  return matches.length === 1 ? matches[0] : undefined;
}
