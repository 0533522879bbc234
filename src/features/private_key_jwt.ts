/** Client authentication with an assertion that the client's private key signs (OpenID Connect Core §9). */

import { type Jwk, signingAlgorithms } from "../crypto/jwk.ts";
import {
  assertionAudienceMember,
  type AssertionKeys,
  readAssertion,
} from "../oauth/clients/client_assertion.ts";
import { createClientJwtVerifier } from "../oauth/clients/client_jwt.ts";
import { clientKeys, jwksMember } from "../oauth/clients/client_keys.ts";
import type { Feature } from "../oauth/feature.ts";

export function privateKeyJwt(): Feature {
  const keys: AssertionKeys = {
    expect: (client) =>
      `a key of the client's jwks (${clientKeys(client).map(describeKey).join(", ")}), ` +
      `and one of ${signingAlgorithms.join(", ")}`,
    verify: createClientJwtVerifier(),
  };
  return {
    name: "private_key_jwt",
    spec: "RFC 7523, RFC 10070",
    clientMembers: [jwksMember, assertionAudienceMember],
    clientAuth: [{
      name: "private_key_jwt",
      assertionAlgorithms: signingAlgorithms,
      needs: [jwksMember.name],
      read: (exchange, form) => readAssertion(exchange, form, keys),
    }],
  };
}

function describeKey({ kid, kty }: Jwk): string {
  return kid === undefined ? `${kty} without kid` : `kid ${kid}`;
}
