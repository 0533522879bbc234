/** Replaces a reference, for example a request_uri, by the parameters of its request (RFC 9101 §5, RFC 9126 §4). */

import { fail } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import { type Params, requireUnrepeated } from "../params.ts";
import type { Services } from "../services.ts";
import type { ResolvedRequest } from "./pending_request.ts";

export type ResolveRequestReason = "two_request_sources" | "client_id_differs";

/** Returns the parameters of the request. Errors are shown on a page, because no redirect URI has been verified yet. */
export async function resolveRequest(
  outer: Params,
  exchange: Exchange,
  services: Services,
): Promise<ResolvedRequest> {
  const sources = services.slots.requestSources.filter(({ param }) => outer.get(param) !== undefined);
  const params = new Set(sources.map(({ param }) => param));
  requireUnrepeated(outer, (name) => params.has(name) || params.size > 0 && name === "client_id");
  if (params.size > 1) {
    fail<ResolveRequestReason>("invalid_request", `${[...params].join(" and ")} cannot be combined`, {
      reason: "two_request_sources",
      spec: "RFC 9101 §5",
    });
  }
  for (const { param, resolve } of sources) {
    const resolved = await resolve(outer.get(param)!, outer, exchange, services);
    if (resolved !== undefined) return requireSameClient(resolved, outer);
  }
  return { params: outer, arrivedBy: [] };
}

/** Requires that the client_id outside and inside the request are equal (RFC 9101 §5, §6.3; RFC 9126 §4). */
function requireSameClient(resolved: ResolvedRequest, outer: Params): ResolvedRequest {
  const clientId = resolved.params.get("client_id");
  if (clientId !== undefined && clientId === outer.get("client_id")) return resolved;
  return fail<ResolveRequestReason>("invalid_request", "This request was made for another client", {
    reason: "client_id_differs",
    spec: "RFC 9101 §5",
    expected: `client_id=${clientId ?? ""}`,
    received: outer.get("client_id") ?? "no client_id",
  });
}
