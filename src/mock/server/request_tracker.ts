/** Connects requests with the facts that the server records, the endpoint, and whether the response is dropped. */

import type { IncomingRequest } from "../../http/message.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { Facts } from "../../oauth/journal.ts";
import type { SeamContext, Seams, SeamValues } from "../../oauth/seams.ts";
import type { EndpointName } from "../endpoints.ts";

export interface TrackedRequest {
  readonly endpoint: EndpointName;
  readonly arrivedAt: number;
  /** The facts that the server records. Absent until the server starts to handle the request. */
  facts?: Partial<Facts>;
  /** Whether a drop applies to the response. Set when the response is recorded. */
  isLost: boolean;
}

export interface RequestTracker {
  track(request: IncomingRequest, at: Pick<TrackedRequest, "endpoint" | "arrivedAt">): TrackedRequest;
  /** Finds a request by itself, or by the facts that the server records about it. */
  find(request: IncomingRequest | Partial<Facts>): TrackedRequest | undefined;
  /**
   * Returns the given seams with one more, at which the tracker learns the facts of each request. Then it calls
   * `onArrival`, which may reject with the error that the request gets.
   */
  addTo(
    seams: Seams,
    onArrival: (endpoint: EndpointName, exchange: Exchange) => Promise<never> | undefined,
  ): Seams;
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
          value(arrival: SeamValues["arrival"], { exchange }: SeamContext) {
            const found = tracked.get(arrival.request)!;
            found.facts = exchange.facts;
            tracked.set(exchange.facts, found);
            return onArrival(found.endpoint, exchange) ?? arrival;
          },
        },
      }),
  };
}
