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

type Arrival = SeamValues["arrival"];
export type OnArrival = (
  endpoint: EndpointName,
  arrival: Arrival,
  at: SeamContext,
) => Arrival | Promise<Arrival>;

export interface RequestTracker {
  track(request: IncomingRequest, at: Omit<TrackedRequest, "facts" | "isLost">): TrackedRequest;
  /** Finds a request by itself, or by the facts that the server records about it. */
  find(request: IncomingRequest | Partial<Facts>): TrackedRequest | undefined;
  /**
   * Returns the seams with one more, at which the tracker learns the facts of a request and calls `onArrival`, which may
   * answer the request, or reject with the error that the request gets.
   */
  addTo(seams: Seams, onArrival: OnArrival): Seams;
}

export function createRequestTracker(): RequestTracker {
  const tracked = new WeakMap<IncomingRequest | Partial<Facts>, TrackedRequest>();
  return {
    track(request, at) {
      const entry: TrackedRequest = { ...at, isLost: false };
      tracked.set(request, entry);
      return entry;
    },
    find: (request) => tracked.get(request),
    // The new object inherits the seams. A copy would miss the seams of hooks that are added later.
    addTo: (seams, onArrival) =>
      Object.create(seams, {
        arrival: {
          value(arrival: Arrival, at: SeamContext) {
            const { exchange: { facts } } = at;
            const found = tracked.get(arrival.request)!;
            found.facts = facts;
            tracked.set(facts, found);
            return onArrival(found.endpoint, arrival, at);
          },
        },
      }),
  };
}
