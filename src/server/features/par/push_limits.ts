/** How many requests clients may push, and how many octets (RFC 9126 §2.3). */

import { countOctets } from "../../../ground/values/octets.ts";
import { isCrossSite } from "../../../ground/http/request_origin.ts";
import type { ResolvedRequest } from "../../oauth/contracts/authorization_request.ts";
import { isUnproven } from "../../oauth/contracts/authenticated_client.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import { createPeerLimit, type PeerLimit } from "../../oauth/people/peer_limit.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { mostPushedOctets } from "./par_settings.ts";
import { createPushBound, mostUnprovenOctets, type PushBound } from "./push_bound.ts";
import type { PushingClient } from "./pushing_client.ts";
import type { WaitingRequests } from "./waiting_requests.ts";

const refusal = refusals({ error: "temporarily_unavailable", status: 429, spec: "RFC 9126 §2.3" }, {
  too_many_pushed_requests: {
    sentence: "Too many pushed requests: wait {secondsToWait} s",
    expected: "at most 1200 a minute from one address, without a secret or a key",
    change: "Wait as long as the refusal says, or authenticate the client.",
  },
  pushed_requests_full: {
    sentence: "The server has too many pushed requests: wait {secondsToWait} s",
    change: "Wait as long as the refusal says, or use a configured client with a secret or a key.",
  },
  too_many_waiting_requests: {
    sentence: "Too many pushed requests of this client wait for use: wait {secondsToWait} s",
    expected: "at most mostPushedOctets of one client",
    change: "Push a request only when a person starts a login, or raise mostPushedOctets.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Any page in a browser can push a request for unproven clients, and the server stores each one for some minutes. */
const mostUnprovenPushes = 1200;

export interface PushLimits {
  /** Pages of other sites have a limit of their own, so that they cannot use up the limit of other clients. */
  readonly pages: PeerLimit;
  readonly others: PeerLimit;
  /** For all unproven clients together. */
  readonly bound: PushBound;
  /** For each other client. */
  readonly waiting: WaitingRequests;
}

/** Creates the limits of one server. `keptFor`: how many seconds the store keeps a request. */
export function createPushLimits(
  { keptFor, waiting }: { readonly keptFor: number; readonly waiting: WaitingRequests },
  { now }: Services,
): PushLimits {
  const create = () => createPeerLimit(now, mostUnprovenPushes);
  return { pages: create(), others: create(), bound: createPushBound(keptFor), waiting };
}

const ofUnproven = "of clients without a secret or key from the configuration";

export function requireUnderLimit(pushing: PushingClient, exchange: Exchange, limits: PushLimits): void {
  if (!isUnproven(pushing)) return;
  const { request } = exchange;
  const limit = isCrossSite(request) ? limits.pages : limits.others;
  const each = `at most ${mostUnprovenPushes} a minute from one address, ${ofUnproven}`;
  requireNoWait("too_many_pushed_requests", limit.count(request.peer), each);
}

function requireNoWait(
  reason: Parameters<typeof refusal>[0],
  secondsToWait: number,
  expected: string,
): void {
  if (secondsToWait === 0) return;
  const headers = { "retry-after": String(secondsToWait) };
  throw refusal(reason, { secondsToWait, headers, expected });
}

export type PushableRequest = ResolvedRequest & { readonly grantId: string };

export async function requireRoom(
  { params, grantId: id }: PushableRequest,
  pushing: PushingClient,
  exchange: Exchange,
  limits: PushLimits,
  services: Services,
): Promise<void> {
  const octets = countOctets(JSON.stringify(params.pairs));
  if (isUnproven(pushing)) {
    const isPage = isCrossSite(exchange.request);
    const secondsToWait = await limits.bound.reserve(octets, { isPage }, services);
    const all = `at most ${mostUnprovenOctets / 1_000_000} MB at a time, ${ofUnproven}`;
    return requireNoWait("pushed_requests_full", secondsToWait, all);
  }
  const secondsToWait = limits.waiting.add({ id, clientId: pushing.client.id, octets }, services);
  const most = settingOf(services.settings, mostPushedOctets);
  const own = `at most ${most} octets of one client (mostPushedOctets)`;
  requireNoWait("too_many_waiting_requests", secondsToWait, own);
}
