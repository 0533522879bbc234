/** The option `dpop`: its type, its part of the configuration's JSON schema, and its settings (RFC 9449). */

import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import { closedObject } from "../../../ground/schema/schema_of.ts";

/**
 * `off`: the server gives no nonces. `required`: a proof needs a nonce, which the server replaces each minute.
 * `rotating`: each answer has a new nonce.
 */
export type NonceMode = "off" | "required" | "rotating";

export const nonceModes: readonly NonceMode[] = ["off", "required", "rotating"];

/** The algorithms that verify proofs. `Ed25519` is another name for EdDSA with that curve (RFC 9864 §2.2). */
export type ProofAlgorithm = "ES256" | "EdDSA" | "Ed25519" | "PS256" | "RS256";

const proofAlgorithms: readonly ProofAlgorithm[] = ["ES256", "EdDSA", "Ed25519", "PS256", "RS256"];

/** How clients bind tokens to a key by DPoP (RFC 9449). */
export interface DpopConfiguration {
  /**
   * `off`: proofs need no nonce. `required`: a proof needs a nonce of this server, which changes each minute.
   * `rotating`: each answer has a new nonce. Default: `off`.
   */
  readonly nonces?: NonceMode;
  /** `true`: every client gets tokens only with a DPoP proof. Default: only clients with `dpop_bound_access_tokens`. */
  readonly required?: boolean;
  /** The algorithms that proofs may be signed with. Default: those of `acceptedAlgorithms`. */
  readonly algorithms?: readonly ProofAlgorithm[];
}

export type DpopSettings = Required<DpopConfiguration>;

export const dpopSchema: Schema = {
  anyOf: [
    { type: "boolean", const: false },
    closedObject({
      nonces: { type: "string", enum: nonceModes },
      required: { type: "boolean" },
      algorithms: { type: "array", minItems: 1, items: { type: "string", enum: proofAlgorithms } },
    }),
  ],
  examples: [{ nonces: "required" }, { required: true }],
};

export function readDpop(
  option: false | DpopConfiguration | undefined,
  accepted: readonly SigningAlgorithm[],
): DpopSettings {
  const { nonces = "off", required = false, algorithms = proofAlgorithms } = option || {};
  return { nonces, required, algorithms: narrowProofAlgorithms(algorithms, accepted) };
}

export function narrowProofAlgorithms(
  algorithms: readonly ProofAlgorithm[],
  accepted: readonly SigningAlgorithm[],
): readonly ProofAlgorithm[] {
  return algorithms.filter((each) => accepted.includes(each === "Ed25519" ? "EdDSA" : each));
}
