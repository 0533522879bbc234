/** Verifies JWTs that a client signs with one of its keys. */

import { type Jwk, publicJwk, thumbprint, verifiesWith } from "../../crypto/jwk.ts";
import { type VerifiedJwt, type VerifyingKey, verifyJwt } from "../../crypto/jwt.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { type ClientKeys, createClientKeyFinder } from "./find_client_keys.ts";

/**
 * Resolves to `undefined` if no key of the client, or more than one, fits the JWT, or if the signature is wrong. Throws
 * a refusal if the server cannot fetch the keys.
 */
export type VerifyClientJwt = (
  jwt: string,
  client: Client,
  exchange: Exchange,
  services: Services,
) => Promise<VerifiedJwt | undefined>;

/** Returns a function that verifies JWTs. It caches the keys of each client. */
export function createClientJwtVerifier(): VerifyClientJwt {
  const finder = createClientKeyFinder();
  const readKeys = createKeyReader();
  const verifyWith = (jwt: string, keys: ClientKeys) =>
    verifyJwt(jwt, (kid, alg) => findKey(readKeys(keys), kid, alg));
  return async (jwt, client, exchange, services) => {
    const known = await finder.find(client, exchange, services);
    const verified = await verifyWith(jwt, known);
    if (verified !== undefined) return verified;
    // The client may have replaced its keys.
    const newer = await finder.findNewer(known, client, exchange, services);
    return newer && await verifyWith(jwt, newer);
  };
}

interface ClientKey extends VerifyingKey {
  readonly kid: string | undefined;
}

/** Returns a function that prepares keys once and caches the result. */
function createKeyReader(): (keys: ClientKeys) => readonly ClientKey[] {
  const cache = new WeakMap<ClientKeys, readonly ClientKey[]>();
  return (known) => {
    let keys = cache.get(known);
    if (keys === undefined) cache.set(known, keys = known.keys.flatMap(readKey));
    return keys;
  };
}

function readKey(jwk: Jwk): readonly ClientKey[] {
  const { kid } = jwk;
  return verifiesWith(jwk).map((alg) => ({
    kid,
    alg,
    publicJwk: publicJwk(jwk, kid ?? thumbprint(jwk), alg),
  }));
}

/** Finds the key of a JWT. A missing kid matches every kid. Returns `undefined` if several keys match. */
function findKey(keys: readonly ClientKey[], kid: string | undefined, alg: string): VerifyingKey | undefined {
  const matches = keys.filter((key) => key.alg === alg && (kid ?? key.kid) === (key.kid ?? kid));
  return matches.length === 1 ? matches[0] : undefined;
}
