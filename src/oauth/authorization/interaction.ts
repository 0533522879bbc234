/** The record of an authorization request while it is answered. */

import type { Exchange } from "../exchange.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import type { PendingRequest } from "./pending_request.ts";
import type { RedirectTarget } from "./redirect_target.ts";

/** A valid request, and where its answer goes. */
export interface Interaction {
  readonly exchange: Exchange;
  readonly pending: PendingRequest;
  readonly target: RedirectTarget;
  readonly request: AuthorizationRequest;
}
