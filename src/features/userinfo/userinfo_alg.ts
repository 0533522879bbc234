/** The client member that says how the server signs userinfo (OpenID Connect Registration §2). */

import { type SigningAlgorithm, signingAlgorithms } from "../../crypto/platform.ts";
import type { ClientMember } from "../../oauth/feature.ts";

export const userinfoAlg: ClientMember<SigningAlgorithm> = {
  name: "userinfo_signed_response_alg",
  schema: { type: "string", enum: signingAlgorithms },
  isSigningAlgorithm: true,
};
