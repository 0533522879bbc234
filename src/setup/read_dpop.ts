/** The option `dpop`: its type, its part of the configuration's JSON schema, and its settings. */

import {
  type DpopSettings,
  type NonceMode,
  nonceModes,
  type ProofAlgorithm,
  proofAlgorithms,
} from "../oauth/tokens/dpop_settings.ts";
import type { Schema } from "../schema/schema.ts";

/** How clients bind tokens to a key by DPoP (RFC 9449). */
export interface DpopConfiguration {
  /**
   * `off`: proofs need no nonce. `required`: a proof needs a nonce of this server, which changes each minute.
   * `rotating`: each answer has a new nonce. Default: `off`.
   */
  readonly nonces?: NonceMode;
  /** `true`: every client gets tokens only with a DPoP proof. Default: only clients with `dpop_bound_access_tokens`. */
  readonly required?: boolean;
  /** The algorithms that proofs may be signed with. Default: all of these. */
  readonly algorithms?: readonly ProofAlgorithm[];
}

export const dpopSchema: Schema = {
  anyOf: [
    { type: "boolean", const: false },
    {
      type: "object",
      additionalProperties: false,
      properties: {
        nonces: { type: "string", enum: nonceModes },
        required: { type: "boolean" },
        algorithms: {
          type: "array",
          minItems: 1,
          items: { type: "string", enum: proofAlgorithms },
        },
      },
    },
  ],
  examples: [{ nonces: "required" }, { required: true }],
};

export function readDpop(option: false | DpopConfiguration | undefined): DpopSettings {
  const { nonces = "off", required = false, algorithms = proofAlgorithms } = option || {};
  return { nonces, required, algorithms };
}
