/** The record of the access that a client requests from a person. All kinds of request have these members. */

import type { Carried } from "../../carried.ts";
import type { Client } from "../../clients/client.ts";

export interface AccessRequest {
  readonly client: Client;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** The URI that receives the response. If absent, the request ends on a page of this server. */
  readonly redirectUri?: string;
  /** The username that the client expects. Fills in the sign-in form or selects an account, and proves nothing. */
  readonly loginHint?: string;
  /** The values of the parameter `prompt` (OpenID Connect Core §3.1.2.1). */
  readonly prompt?: readonly string[];
  /** The `sub`, as this client knows it, of the only person who may answer. */
  readonly requiredSub?: string;
  /** Values that features add. The grant gets all of them. */
  readonly carried: Carried;
}
