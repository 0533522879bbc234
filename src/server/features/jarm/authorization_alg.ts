/** The client members that say how the server signs and encrypts authorization responses (JARM §3). */

import { type SigningAlgorithm, signingAlgorithms } from "../../crypto/platform.ts";
import type { ClientMember } from "../../oauth/feature.ts";
import { createResponseEncryption, type ResponseEncryption } from "../../oauth/tokens/response_encryption.ts";

export const authorizationAlg: ClientMember<SigningAlgorithm> = {
  name: "authorization_signed_response_alg",
  schema: { type: "string", enum: signingAlgorithms },
  isSigningAlgorithm: true,
  isUsuallyRs256: true,
};

export const authorizationEncryption: ResponseEncryption = createResponseEncryption("authorization");
