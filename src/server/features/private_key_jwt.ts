/** Client authentication with an assertion that the client's private key signs (OpenID Connect Core §9). */

import { signingAlgorithms } from "../../ground/crypto/platform.ts";
import { acceptedAlgorithmsMember } from "../oauth/clients/authentication/accepted_algorithms.ts";
import {
  assertionAlgorithmMember,
  assertionAudienceMember,
  type AssertionKeys,
  isSignedWithSecret,
} from "../oauth/clients/authentication/client_assertion.ts";
import { createClientJwtVerifier } from "../oauth/clients/authentication/client_jwt.ts";
import {
  describeClientKeys,
  jwksMember,
  jwksUriMember,
} from "../oauth/clients/authentication/client_keys.ts";
import { createAssertionReader } from "../oauth/clients/authentication/read_credentials.ts";
import type { Feature } from "../oauth/contracts/feature.ts";

export function privateKeyJwt(): Feature {
  const keys: AssertionKeys = {
    // The method also reads text that is not a JWT, so that it is refused like a wrong signature.
    isFor: (alg) => !isSignedWithSecret(alg),
    expect: (client) => `${describeClientKeys(client)}, and one of ${signingAlgorithms.join(", ")}`,
    verify: createClientJwtVerifier(),
  };
  return {
    name: "private_key_jwt",
    spec: "RFC 7523, RFC 10070",
    clientMembers: [
      jwksMember,
      jwksUriMember,
      assertionAudienceMember,
      assertionAlgorithmMember,
      acceptedAlgorithmsMember,
    ],
    clientAuth: [{
      name: "private_key_jwt",
      assertionAlgorithms: signingAlgorithms,
      needs: [jwksMember.name, jwksUriMember.name],
      read: createAssertionReader(keys),
    }],
  };
}
