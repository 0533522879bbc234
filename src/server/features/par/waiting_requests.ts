/** Limits the octets of the pushed requests that wait for use, for each client that proves who it is (RFC 9126 §2.3). */

import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { mostPushedOctets, pushedRequestLifetime } from "./par_settings.ts";

export interface CountedRequest {
  readonly id: string;
  readonly clientId: string;
  readonly octets: number;
}

export interface WaitingRequests {
  /** Counts a request until it is removed or expires, and returns 0. Without room, returns the seconds until there is some. */
  add(request: CountedRequest, services: Services): number;
  remove(id: string): void;
}

interface WaitingRequest extends CountedRequest {
  readonly endsAt: number;
}

/**
 * In memory, so that a push or a use needs no further call of the store. Each server therefore counts what clients pushed
 * through it since its start: with n servers on one store, a client has n times as much. A request that another server
 * answers counts here until it expires. Only clients of the configuration are counted, so their number has no limit.
 */
export function createWaitingRequests(): WaitingRequests {
  // Ordered by `endsAt`, because new requests come last and all wait equally long.
  const requests = new Map<string, WaitingRequest>();
  const octetsOf = new Map<string, number>();

  function remove(id: string): void {
    const request = requests.get(id);
    if (request === undefined) return;
    const { clientId, octets } = request;
    requests.delete(id);
    octetsOf.set(clientId, octetsOf.get(clientId)! - octets);
  }

  function removeEnded(now: number, lifetime: number): void {
    for (const { id, endsAt } of requests.values()) {
      // If `endsAt` is further ahead than one lifetime, the clock was set back.
      if (endsAt > now && endsAt <= now + lifetime) return;
      remove(id);
    }
  }

  /** Returns when the oldest requests of the client, which have at least these octets, have ended. */
  function findEnd(clientId: string, octets: number): number {
    let left = octets;
    let end = 0;
    for (const request of requests.values()) {
      if (left <= 0) break;
      if (request.clientId !== clientId) continue;
      left -= request.octets;
      end = request.endsAt;
    }
    return end;
  }

  return {
    add(request, { settings, now: readClock }) {
      const now = readClock();
      const lifetime = settingOf(settings, pushedRequestLifetime);
      removeEnded(now, lifetime);
      const { id, clientId, octets } = request;
      const sum = (octetsOf.get(clientId) ?? 0) + octets;
      const excess = sum - settingOf(settings, mostPushedOctets);
      if (excess > 0) return Math.ceil(findEnd(clientId, excess) - now);
      requests.set(id, { ...request, endsAt: now + lifetime });
      octetsOf.set(clientId, sum);
      return 0;
    },
    remove,
  };
}
