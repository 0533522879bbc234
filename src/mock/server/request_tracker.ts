/** What the kit knows about a request beside what the server notes: where it went, and whether its answer is lost. */

import type { IncomingRequest } from "../../http/message.ts";
import type { Facts } from "../../oauth/journal.ts";
import type { SeamContext, Seams, SeamValues } from "../../oauth/seams.ts";
import type { EndpointName } from "../endpoints.ts";

export interface TrackedRequest {
  readonly endpoint: EndpointName;
  readonly arrivedAt: number;
  /** What the server notes, once it has begun. */
  facts?: Partial<Facts>;
  /** Decided when the answer is recorded. */
  isLost: boolean;
}

export interface RequestTracker {
  track(request: IncomingRequest, at: Pick<TrackedRequest, "endpoint" | "arrivedAt">): TrackedRequest;
  /** By the request, or by what the server notes about it. */
  find(request: IncomingRequest | Partial<Facts>): TrackedRequest | undefined;
  /** These seams, and one at which the server tells its facts. */
  addTo(seams: Seams): Seams;
}

export function createRequestTracker(): RequestTracker {
  const tracked = new WeakMap<IncomingRequest | Partial<Facts>, TrackedRequest>();
  return {
    track(request, at) {
      const made: TrackedRequest = { ...at, isLost: false };
      tracked.set(request, made);
      return made;
    },
    find: (request) => tracked.get(request),
    // Inherited and not copied: the seams of the hooks come and go with the hooks.
    addTo: (seams) =>
      Object.create(seams, {
        arrival: {
          value(arrival: SeamValues["arrival"], { exchange: { facts } }: SeamContext) {
            const found = tracked.get(arrival.request)!;
            found.facts = facts;
            tracked.set(facts, found);
            return arrival;
          },
        },
      }),
  };
}
