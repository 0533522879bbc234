/** How the server signs and encrypts a client's ID tokens and its logout tokens (Back-Channel Logout §2.6). */

import { type SigningAlgorithm, signingAlgorithms } from "../../crypto/platform.ts";
import type { Client } from "../clients/client.ts";
import { memberOf } from "../clients/client_member.ts";
import type { ClientMember } from "../feature.ts";
import type { Services } from "../services.ts";
import { createResponseEncryption, type ResponseEncryption } from "./response_encryption.ts";

export const idTokenAlgMember: ClientMember<SigningAlgorithm> = {
  name: "id_token_signed_response_alg",
  schema: { type: "string", enum: signingAlgorithms },
  isSigningAlgorithm: true,
  isUsuallyRs256: true,
};

export const idTokenEncryption: ResponseEncryption = createResponseEncryption("id_token");

export function idTokenAlg(client: Client, { settings }: Services): SigningAlgorithm {
  return memberOf(client, idTokenAlgMember) ?? settings.alg;
}

/** The default that specifications name: RS256, unless the server does not sign with it. */
export function specifiedAlg({ alg, idTokenAlgorithms }: Services["settings"]): SigningAlgorithm {
  return idTokenAlgorithms.includes("RS256") ? "RS256" : alg;
}
