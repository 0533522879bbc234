/** The algorithm that signs the ID tokens of a client (OpenID Connect Registration §2). */

import { type SigningAlgorithm, signingAlgorithms } from "../../crypto/platform.ts";
import type { Client } from "../clients/client.ts";
import type { ClientMember } from "../feature.ts";
import { memberOf } from "../feature_values.ts";
import type { Services } from "../services.ts";

export const idTokenAlgMember: ClientMember<SigningAlgorithm> = {
  name: "id_token_signed_response_alg",
  schema: { type: "string", enum: signingAlgorithms },
  isSigningAlgorithm: true,
  isUsuallyRs256: true,
};

/** Returns the algorithm of a client's ID tokens and its logout tokens (Back-Channel Logout §2.6). */
export function idTokenAlg(client: Client, { settings }: Services): SigningAlgorithm {
  return memberOf(client, idTokenAlgMember) ?? settings.alg;
}

/** The default that specifications name: RS256, unless the server does not sign with it. */
export function specifiedAlg({ alg, idTokenAlgorithms }: Services["settings"]): SigningAlgorithm {
  return idTokenAlgorithms.includes("RS256") ? "RS256" : alg;
}
