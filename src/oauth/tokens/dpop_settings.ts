/** The settings of DPoP (RFC 9449). */

/**
 * `off`: the server gives no nonces. `required`: a proof needs a nonce, which the server replaces each minute.
 * `rotating`: each answer has a new nonce.
 */
export type NonceMode = "off" | "required" | "rotating";

export const nonceModes: readonly NonceMode[] = ["off", "required", "rotating"];

/** The algorithms that verify proofs. `Ed25519` is another name for EdDSA with that curve (RFC 9864 §2.2). */
export type ProofAlgorithm = "ES256" | "EdDSA" | "Ed25519" | "PS256" | "RS256";

export const proofAlgorithms: readonly ProofAlgorithm[] = ["ES256", "EdDSA", "Ed25519", "PS256", "RS256"];

export interface DpopSettings {
  readonly nonces: NonceMode;
  /** Every client must prove a key to get tokens, and not only a client with `dpop_bound_access_tokens`. */
  readonly required: boolean;
  readonly algorithms: readonly ProofAlgorithm[];
}
