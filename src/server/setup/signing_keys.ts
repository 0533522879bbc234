/** Finds the signing algorithms that a server needs, and checks the signing keys in its options. */

import { type Jwk, signsWith, unfitForSigning } from "../../ground/crypto/jwk.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../../ground/crypto/platform.ts";
import type { Client } from "../oauth/contracts/client.ts";
import { memberOf } from "../oauth/contracts/feature_values.ts";
import type { ClientMember, Slots } from "../oauth/contracts/feature.ts";
import { refuseOption } from "../oauth/options/set_up_mistake.ts";
import { isJsonObject } from "../../ground/schema/json_object.ts";
import { describeType } from "../../ground/schema/received.ts";

export const usualAlg: SigningAlgorithm = "RS256";

export function requireSigningKeys(
  keys: readonly Jwk[],
  algorithms: readonly SigningAlgorithm[],
  preferred: SigningAlgorithm,
): void {
  requireKeyList(keys);
  const offered = keys.map((jwk, index) => {
    const alg = signsWith(jwk, preferred);
    if (alg === undefined) {
      return refuseOption(
        `signingKeys[${index}]`,
        `must be a key for one of ${signingAlgorithms.join(", ")}, and its alg must be this one or left out`,
      );
    }
    const problem = unfitForSigning(jwk, alg);
    if (problem !== undefined) refuseOption(`signingKeys[${index}]`, `does not fit: ${problem}`);
    return alg;
  });
  const missing = algorithms.find((alg) => !offered.includes(alg));
  if (missing !== undefined) {
    refuseOption(
      "signingKeys",
      `must hold a key for ${missing}, because the server or a client is configured to use it`,
    );
  }
}

/** Refuses an algorithm of the server or of a client that `acceptedAlgorithms` leaves out. */
export function requireAccepted(
  algorithms: readonly SigningAlgorithm[],
  accepted: readonly SigningAlgorithm[],
): void {
  const missing = algorithms.find((alg) => !accepted.includes(alg));
  if (missing === undefined) return;
  refuseOption(
    "acceptedAlgorithms",
    `must have ${missing}, because the server or a client is configured to use it`,
  );
}

/**
 * Returns the algorithms for ID tokens. A server that creates its own keys always supports RS256 (OpenID Connect
 * Discovery §3, Core §15.1). With `signingKeys`, the server supports RS256 only if one of these keys is for RS256.
 */
export function idTokenAlgorithms(
  algorithms: readonly SigningAlgorithm[],
  signingKeys: readonly Jwk[] | undefined,
  preferred: SigningAlgorithm,
): readonly SigningAlgorithm[] {
  const canSign = signingKeys === undefined ||
    signingKeys.some((jwk) => signsWith(jwk, preferred) === "RS256");
  return canSign ? [...new Set([...algorithms, "RS256" as const])] : algorithms;
}

/** The server's own algorithm is the first. */
export function algorithmsInUse(
  alg: SigningAlgorithm,
  clients: ReadonlyMap<string, Client>,
  { clientMembers }: Slots,
): readonly SigningAlgorithm[] {
  const algorithms = [...clientMembers.values()].filter(({ isSigningAlgorithm }) => isSigningAlgorithm);
  const clientAlgorithms = [...clients.values()].flatMap((client) =>
    algorithms.map((member) => memberOf(client, member as ClientMember<SigningAlgorithm>) ?? alg)
  );
  return [...new Set([alg, ...clientAlgorithms])];
}

function requireKeyList(keys: unknown): void {
  if (isJsonObject(keys) && Array.isArray(keys["keys"])) {
    refuseOption("signingKeys", "must be a list of private JWKs: pass the keys member of the key set");
  }
  if (!Array.isArray(keys)) {
    refuseOption("signingKeys", "must be a list of private JWKs", describeType(keys));
  }
  const at = keys.findIndex((key) => !isJsonObject(key));
  if (at !== -1) refuseOption(`signingKeys[${at}]`, "must be a private JWK", describeType(keys[at]));
}
