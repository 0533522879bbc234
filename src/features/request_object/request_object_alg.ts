/** The algorithm of a client's request objects (OpenID Connect Dynamic Client Registration §2). */

import { type SigningAlgorithm, signingAlgorithms } from "../../crypto/platform.ts";
import type { ClientMember } from "../../oauth/feature.ts";

export const requestObjectAlg: ClientMember<SigningAlgorithm> = {
  name: "request_object_signing_alg",
  schema: { type: "string", enum: signingAlgorithms },
};
