/** How an API uses DPoP (RFC 9449 §7, §9): the type of the term `dpop`, and its schema. */

import { type NonceMode, nonceModes } from "../../../server/oauth/contracts/dpop_settings.ts";
import type { Schema } from "../../../ground/schema/schema.ts";

/** How a resource server uses DPoP (RFC 9449 §7, §9). */
export interface ProtectDpop {
  /** Whether it refuses bearer tokens. Default: `false`. */
  readonly required?: boolean;
  /** Its own nonces, which the authorization server does not accept. Default: `off`. */
  readonly nonces?: NonceMode;
}

export const protectDpopSchema: Schema = {
  type: "object",
  additionalProperties: false,
  properties: { required: { type: "boolean" }, nonces: { type: "string", enum: nonceModes } },
};
