/** The type of the term `dpop` of an API. */

import type { NonceMode } from "../../../server/oauth/contracts/dpop_settings.ts";

/** How a resource server uses DPoP (RFC 9449 §7, §9). */
export interface ProtectDpop {
  /** Whether it refuses bearer tokens. Default: `false`. */
  readonly required?: boolean;
  /** Its own nonces, which the authorization server does not accept. Default: `off`. */
  readonly nonces?: NonceMode;
}
