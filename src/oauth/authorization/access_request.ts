/** The record of what a client asks a person for, by whichever kind of request. */

import type { Client } from "../clients/client.ts";
import type { RequestedClaims } from "../people/claims.ts";

export interface AccessRequest {
  readonly client: Client;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** Where the answer goes. Absent: the request ends on a page of this server. */
  readonly redirectUri?: string;
  readonly nonce?: string;
  /** Whom the client expects. Fills a field or picks among accounts; proves nothing. */
  readonly loginHint?: string;
  /** OpenID Connect Core §3.1.2.1. */
  readonly prompt?: readonly string[];
  readonly maxAge?: number;
  /** The only person who may answer, by the name that this client knows. */
  readonly requiredSub?: string;
  readonly claims?: RequestedClaims;
  /** By acr_values. */
  readonly acr?: string;
}
