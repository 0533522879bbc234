/** Verifies JWTs that another party has signed with one of its keys. */

import { type Jwk, publicJwk, thumbprint, verifiesWith } from "../../../ground/crypto/jwk.ts";
import { type VerifiedJwt, type VerifyingKey, verifyJwt } from "../../../ground/crypto/jwt.ts";
import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import { remember } from "../../../ground/values/remember.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { createKeyCache, type KeySource } from "./foreign_keys.ts";
import type { Services } from "../contracts/feature.ts";
import { perServer } from "../contracts/per_server.ts";

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
  const cacheOf = perServer(createKeyCache);
  return (jwt, source, exchange, services) =>
    cacheOf(services)((keys) => verifyWith(keys, jwt, source.algorithms), source, exchange, services);
}

/** The keys of each array are prepared once. */
const prepared = new WeakMap<readonly Jwk[], readonly ForeignKey[]>();

export async function verifyWith(
  keys: readonly Jwk[],
  jwt: string,
  algorithms?: readonly SigningAlgorithm[],
): Promise<VerifiedJwt | undefined> {
  const known = remember(prepared, keys, () => keys.flatMap(readForeignKey));
  return await verifyJwt(
    jwt,
    (kid, alg) => algorithms?.some((each) => each === alg) === false ? undefined : findKey(known, kid, alg),
  );
}

interface ForeignKey extends VerifyingKey {
  readonly kid: string | undefined;
}

/** Returns a key for each algorithm with which it can verify. */
function readForeignKey(jwk: Jwk): readonly ForeignKey[] {
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
