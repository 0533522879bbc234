/** The record of what a client asks a person for, by whichever kind of request. */

import type { Carried } from "../carried.ts";
import type { Client } from "../clients/client.ts";

export interface AccessRequest {
  readonly client: Client;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** Where the answer goes. Absent: the request ends on a page of this server. */
  readonly redirectUri?: string;
  /** Whom the client expects. Fills a field or picks among accounts; proves nothing. */
  readonly loginHint?: string;
  /** OpenID Connect Core §3.1.2.1. */
  readonly prompt?: readonly string[];
  /** The only person who may answer, by the name that this client knows. */
  readonly requiredSub?: string;
  /** Values that features add. The grant gets all of them. */
  readonly carried: Carried;
}
