/** The client members that say how the server signs and encrypts introspection as a JWT (RFC 9701 §6). */

import { type SigningAlgorithm, signingAlgorithms } from "../../../ground/crypto/platform.ts";
import type { ClientMember } from "../../oauth/contracts/feature.ts";
import { createResponseEncryption, type ResponseEncryption } from "../../oauth/tokens/response_encryption.ts";

export const introspectionAlg: ClientMember<SigningAlgorithm> = {
  name: "introspection_signed_response_alg",
  schema: { type: "string", enum: signingAlgorithms },
  isSigningAlgorithm: true,
};

export const introspectionEncryption: ResponseEncryption = createResponseEncryption("introspection");
