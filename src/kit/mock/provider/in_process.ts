/** Only requests in the process reach the hosts of a provider, because a client elsewhere chooses its Host header. */

import type { IncomingRequest } from "../../../ground/http/message.ts";

/** A request that came over a socket has a peer. */
export function isInProcess({ peer }: IncomingRequest): boolean {
  return peer === undefined;
}
