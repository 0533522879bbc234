/** What a client registers about its request objects. */

import { type SigningAlgorithm, signingAlgorithms } from "../../../ground/crypto/platform.ts";
import type { ClientMember } from "../../oauth/contracts/feature.ts";

/** OpenID Connect Dynamic Client Registration §2. */
export const requestObjectAlg: ClientMember<SigningAlgorithm> = {
  name: "request_object_signing_alg",
  schema: { type: "string", enum: signingAlgorithms },
};

/** FAPI 2.0 Message Signing §5.3.1. */
export const requestObjectTimes: ClientMember<"usual" | "bounded"> = {
  name: "request_object_times",
  schema: { type: "string", enum: ["usual", "bounded"] },
};
