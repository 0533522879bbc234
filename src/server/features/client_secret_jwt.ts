/** Client authentication with an assertion that the client signs with its secret (OpenID Connect Core §9). */

import { verifyWithSecret } from "../../ground/crypto/jwt.ts";
import type { Client } from "../oauth/contracts/client.ts";
import {
  assertionAlgorithmMember,
  assertionAudienceMember,
  type AssertionKeys,
  isSignedWithSecret,
} from "../oauth/clients/authentication/client_assertion.ts";
import { createAssertionReader } from "../oauth/clients/authentication/read_credentials.ts";
import type { Feature } from "../oauth/contracts/feature.ts";

const algorithm = "HS256";

export function clientSecretJwt(): Feature {
  const keys: AssertionKeys = {
    isFor: isSignedWithSecret,
    expect: () => `the client's secret, as the key of ${algorithm}`,
    verify: (assertion, { authentication }: Client) =>
      authentication?.secret === undefined
        ? Promise.resolve(undefined)
        : verifyWithSecret(assertion, authentication.secret),
  };
  return {
    name: "client_secret_jwt",
    spec: "OpenID Connect Core §9, RFC 10070",
    clientMembers: [assertionAudienceMember, assertionAlgorithmMember],
    clientAuth: [{
      name: "client_secret_jwt",
      assertionAlgorithms: [algorithm],
      // RFC 7518 §3.2: the key is at least as long as the hash.
      keyOctets: 32,
      read: createAssertionReader(keys),
    }],
  };
}
