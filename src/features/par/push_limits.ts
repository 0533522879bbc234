/** How many requests clients may push, and how many octets (RFC 9126 §2.3). */

import { isCrossSite } from "../../http/fetch_site.ts";
import type { ResolvedRequest } from "../../oauth/authorization/asking/contract.ts";
import { isUnproven } from "../../oauth/clients/unproven_client.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import { createPeerLimit, type PeerLimit } from "../../oauth/people/peer_limit.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import type { Services } from "../../oauth/services.ts";
import { createPushBound, mostUnprovenOctets, type PushBound } from "./push_bound.ts";
import type { PushingClient } from "./pushing_client.ts";

const refusal = refusals({
  too_many_pushed_requests: {
    error: "temporarily_unavailable",
    status: 429,
    spec: "RFC 9126 §2.3",
    sentence: "Too many pushed requests: wait {secondsToWait} s",
    expected: "at most 1200 a minute from one address, without a secret or a key",
    change: "Wait as long as the refusal says, or authenticate the client.",
  },
  pushed_requests_full: {
    error: "temporarily_unavailable",
    status: 429,
    spec: "RFC 9126 §2.3",
    sentence: "The server has too many pushed requests: wait {secondsToWait} s",
    change: "Wait as long as the refusal says, or use a configured client with a secret or a key.",
  },
});

export const refused: RefusalRows = refusal.rows;

/**
 * The limit for unproven clients. Any page in a browser can push a request for them, and the server stores each one for
 * some minutes.
 */
const unprovenPushes = { most: 1200, period: 60, mostPeers: 10_000 };

/** Pages of other sites have a limit of their own, so that they cannot use up the limit of other clients. */
export interface PushLimits {
  readonly pages: PeerLimit;
  readonly others: PeerLimit;
  readonly bound: PushBound;
}

/** Creates the limits of one server. `keptFor`: how many seconds the store keeps a request. */
export function createPushLimits(keptFor: number, { now }: Services): PushLimits {
  const create = () => createPeerLimit(now, unprovenPushes);
  return { pages: create(), others: create(), bound: createPushBound(keptFor) };
}

/** Counts a request, and returns the seconds until the next one is accepted. */
function countPush({ request }: Exchange, { pages, others }: PushLimits): number {
  return (isCrossSite(request) ? pages : others).count(request.peer);
}

export function requireUnderLimit(pushing: PushingClient, exchange: Exchange, limits: PushLimits): void {
  const secondsToWait = isUnproven(pushing) ? countPush(exchange, limits) : 0;
  if (secondsToWait === 0) return;
  throw refusal("too_many_pushed_requests", {
    secondsToWait,
    headers: { "retry-after": String(secondsToWait) },
    expected:
      `at most ${unprovenPushes.most} a minute from one address, of clients without a secret or key from the ` +
      "configuration",
  });
}

export async function requireRoom(
  { params }: ResolvedRequest,
  pushing: PushingClient,
  exchange: Exchange,
  { bound }: PushLimits,
  services: Services,
): Promise<void> {
  if (!isUnproven(pushing)) return;
  const octets = new TextEncoder().encode(JSON.stringify(params.pairs)).length;
  const secondsToWait = await bound.reserve(octets, { isPage: isCrossSite(exchange.request) }, services);
  if (secondsToWait === 0) return;
  throw refusal("pushed_requests_full", {
    secondsToWait,
    headers: { "retry-after": String(secondsToWait) },
    expected:
      `at most ${mostUnprovenOctets / 1_000_000} MB at a time, of clients without a secret or key from the ` +
      "configuration",
  });
}
