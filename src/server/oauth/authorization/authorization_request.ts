/** The record of a valid authorization request (OAuth 2.1 §4.1.1). */

import type { Confirmation } from "../tokens/sender.ts";
import type { AccessRequest } from "./asking/contract.ts";

export interface AuthorizationRequest extends AccessRequest {
  readonly redirectUri: string;
  readonly responseType: string;
  readonly challenge?: string;
  /** The key that the code is bound to: `dpop_jkt` (RFC 9449 §10). */
  readonly confirmation?: Confirmation;
}
