/** Verifies JWTs that a client signs with a key of its jwks. */

import { type Jwk, publicJwk, thumbprint, verifiesWith } from "../../crypto/jwk.ts";
import { type VerifiedJwt, type VerifyingKey, verifyJwt } from "../../crypto/jwt.ts";
import type { Client } from "./client.ts";
import { clientKeys } from "./client_keys.ts";

/** Resolves to `undefined` if no key of the client, or more than one, fits the JWT, or if the signature is wrong. */
export type VerifyClientJwt = (jwt: string, client: Client) => Promise<VerifiedJwt | undefined>;

/** Returns a function that verifies JWTs. It caches the keys of each client. */
export function createClientJwtVerifier(): VerifyClientJwt {
  const findKeys = createKeyCache();
  return (jwt, client) => verifyJwt(jwt, (kid, alg) => findKey(findKeys(client), kid, alg));
}

type FindKeys = (client: Client) => readonly ClientKey[];

interface ClientKey extends VerifyingKey {
  readonly kid: string | undefined;
}

/** Returns a function that reads a client's keys once and caches them. */
function createKeyCache(): FindKeys {
  const cache = new WeakMap<Client, readonly ClientKey[]>();
  return (client) => {
    let keys = cache.get(client);
    if (keys === undefined) cache.set(client, keys = clientKeys(client).flatMap(readKeys));
    return keys;
  };
}

function readKeys(jwk: Jwk): readonly ClientKey[] {
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
