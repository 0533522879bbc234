/** The client members that say how the server signs and encrypts userinfo (OpenID Connect Registration §2). */

import { type SigningAlgorithm, signingAlgorithms } from "../../../ground/crypto/platform.ts";
import type { ClientMember } from "../../oauth/contracts/feature.ts";
import { createResponseEncryption, type ResponseEncryption } from "../../oauth/tokens/response_encryption.ts";

export const userinfoAlg: ClientMember<SigningAlgorithm> = {
  name: "userinfo_signed_response_alg",
  schema: { type: "string", enum: signingAlgorithms },
  isSigningAlgorithm: true,
};

export const userinfoEncryption: ResponseEncryption = createResponseEncryption("userinfo");
