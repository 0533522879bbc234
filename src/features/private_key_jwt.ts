/** Client authentication with an assertion that the client's private key signs (OpenID Connect Core §9). */

import { type Jwk, publicJwk, signingAlgorithms, thumbprint, verifiesWith } from "../crypto/jwk.ts";
import { type VerifyingKey, verifyJwt } from "../crypto/jwt.ts";
import type { Client } from "../oauth/clients/client.ts";
import {
  assertionAudienceMember,
  type AssertionKeys,
  readAssertion,
} from "../oauth/clients/client_assertion.ts";
import { clientKeys, jwksMember } from "../oauth/clients/client_keys.ts";
import type { Feature, MetadataValue } from "../oauth/feature.ts";

export function privateKeyJwt(): Feature {
  const findKeys = createKeyCache();
  const keys: AssertionKeys = {
    expected: `a key of the client's jwks, and one of ${signingAlgorithms.join(", ")}`,
    verify: (assertion, client) => verifyJwt(assertion, (kid, alg) => findKey(findKeys(client), kid, alg)),
  };
  return {
    name: "private_key_jwt",
    spec: "RFC 7523, RFC 10070",
    clientMembers: [jwksMember, assertionAudienceMember],
    clientAuth: [{
      name: "private_key_jwt",
      readsAssertion: true,
      needs: jwksMember.name,
      read: (exchange, form) => readAssertion(exchange, form, keys),
    }],
    metadata: {
      token_endpoint_auth_signing_alg_values_supported: algorithmsAt("token_endpoint"),
      revocation_endpoint_auth_signing_alg_values_supported: algorithmsAt("revocation_endpoint"),
      introspection_endpoint_auth_signing_alg_values_supported: algorithmsAt("introspection_endpoint"),
    },
  };
}

/** RFC 8414 §2: the metadata announces the algorithms for each endpoint where clients authenticate. */
function algorithmsAt(endpoint: string): MetadataValue {
  return ({ slots }) =>
    slots.endpoints.some(({ metadataName }) => metadataName === endpoint) ? signingAlgorithms : undefined;
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

/** Finds the key of an assertion. A missing kid matches every kid. Returns `undefined` if several keys match. */
function findKey(keys: readonly ClientKey[], kid: string | undefined, alg: string): VerifyingKey | undefined {
  const matches = keys.filter((key) => key.alg === alg && (kid ?? key.kid) === (key.kid ?? kid));
  return matches.length === 1 ? matches[0] : undefined;
}
