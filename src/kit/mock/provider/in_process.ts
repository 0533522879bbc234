/** Only requests in the process reach the hosts of a provider, because a client elsewhere chooses its Host header. */

import type { IncomingRequest } from "../../../server/http/message.ts";

/** A request that came over a socket has a peer. */
export function isInProcess({ peer }: IncomingRequest): boolean {
  return peer === undefined;
}

/** Returns the request of a connection in memory. */
export function withoutPeer(request: IncomingRequest): IncomingRequest {
  const { method, address } = request;
  return {
    method,
    address,
    peer: undefined,
    header: (name) => request.header(name),
    headers: () => request.headers(),
    readBody: (limit) => request.readBody(limit),
    hasLeft: () => request.hasLeft?.() ?? false,
  };
}
