/** Connects requests with the facts that the server records, the endpoint, and whether the response is dropped. */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { Facts } from "../../../server/oauth/contracts/journal.ts";
import type { SeamContext, Seams, SeamValues } from "../../../server/oauth/contracts/seams.ts";
import type { EndpointName } from "../endpoints.ts";
import type { Face } from "../provider/face.ts";

interface TrackedRequest {
  readonly endpoint: EndpointName;
  readonly arrivedAt: number;
  /** The face of the server that answers, at a host of a provider. */
  readonly face?: Face;
  /** The URL without the query, if it is at a host of a provider. */
  readonly url?: string;
  /** The facts that the server records. Absent until the server starts to handle the request. */
  facts?: Partial<Facts>;
  /** Whether the client gets no response, because a drop or a misbehaviour removes it. */
  isLost: boolean;
}

/** By the request, and by the facts that the server records about it. */
export type TrackedRequests = WeakMap<IncomingRequest | Partial<Facts>, TrackedRequest>;

type Arrival = SeamValues["arrival"];
export type OnArrival = (
  endpoint: EndpointName,
  arrival: Arrival,
  at: SeamContext,
) => Arrival | Promise<Arrival>;

export function trackRequest(
  request: IncomingRequest,
  at: Omit<TrackedRequest, "facts" | "isLost">,
  tracked: TrackedRequests,
): TrackedRequest {
  const entry: TrackedRequest = { ...at, isLost: false };
  tracked.set(request, entry);
  return entry;
}

/**
 * Returns the seams with one more, which learns the facts of a request and calls `onArrival`. That may answer the request,
 * or reject with the error that the request gets.
 */
export function trackFacts(seams: Seams, onArrival: OnArrival, tracked: TrackedRequests): Seams {
  const value = (arrival: Arrival, at: SeamContext) => {
    const { exchange: { facts } } = at;
    const found = tracked.get(arrival.request)!;
    found.facts = facts;
    tracked.set(facts, found);
    return onArrival(found.endpoint, arrival, at);
  };
  // The new object inherits the seams. A copy would miss the seams of hooks that are added later.
  return Object.create(seams, { arrival: { value } });
}
