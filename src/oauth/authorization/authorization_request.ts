/** The record of a valid authorization request (OAuth 2.1 §4.1.1). */

import type { Client } from "../clients/client.ts";
import type { RequestedClaims } from "../people/claims.ts";

export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly responseType: string;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  readonly challenge?: string;
  readonly nonce?: string;
  /** Whom the client expects. Fills a field or picks among accounts; proves nothing. */
  readonly loginHint?: string;
  /** OpenID Connect Core §3.1.2.1. */
  readonly prompt?: readonly string[];
  readonly maxAge?: number;
  /** The person it has to be, by the name that this client knows: nobody else's tokens will do. */
  readonly requiredSub?: string;
  readonly claims?: RequestedClaims;
  /** By acr_values. */
  readonly acr?: string;
}
