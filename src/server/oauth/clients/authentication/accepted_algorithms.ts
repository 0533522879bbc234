/** The algorithms that a client may sign with: its assertions, its request objects and its proofs. */

import { type SigningAlgorithm, signingAlgorithms } from "../../../../ground/crypto/platform.ts";
import type { ClientMember } from "../../contracts/feature.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { Client } from "../../contracts/client.ts";
import { memberOf } from "../../contracts/feature_values.ts";

export const acceptedAlgorithmsMember: ClientMember<readonly SigningAlgorithm[]> = {
  name: "accepted_signing_algs",
  schema: { type: "array", minItems: 1, items: { type: "string", enum: signingAlgorithms } },
};

export function acceptedAlgorithms(
  client: Client,
  { acceptedAlgorithms: all }: Pick<Settings, "acceptedAlgorithms">,
): readonly SigningAlgorithm[] {
  const own = memberOf(client, acceptedAlgorithmsMember);
  return own === undefined ? all : all.filter((alg) => own.includes(alg));
}
