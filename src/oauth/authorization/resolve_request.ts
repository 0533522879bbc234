/** Replaces a reference, for example a request_uri, by the parameters of its request (RFC 9101 §5, RFC 9126 §4). */

import { fail } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Advice } from "../journal.ts";
import { listNames, type Params, requireUnrepeated } from "../params.ts";
import type { Services } from "../services.ts";
import type { ResolvedRequest } from "./pending_request.ts";
import { requireSupportedParams } from "./require_authorization_request.ts";

export type ResolveRequestReason = "two_request_sources" | "client_id_differs";

/** The advice in the journal about parameters outside of the request, which have no effect. */
export type ResolveRequestAdvice = "parameters_ignored";

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
    if (resolved === undefined) continue;
    requireSameClient(resolved, outer);
    if (exchange.hasJournal && resolved.refusal === undefined) noteIgnored(param, resolved, outer, exchange);
    return resolved;
  }
  // Without a redirect URI, the client cannot get this error later, and a page should not complain about that URI.
  if (outer.get("redirect_uri") === undefined) requireSupportedParams(outer, services);
  return { params: outer, arrivedBy: [] };
}

/** Requires that the client_id outside and inside the request are equal (RFC 9101 §5, §6.3; RFC 9126 §4). */
function requireSameClient({ params }: ResolvedRequest, outer: Params): void {
  const clientId = params.get("client_id");
  if (clientId !== undefined && clientId === outer.get("client_id")) return;
  fail<ResolveRequestReason>("invalid_request", "This request was made for another client", {
    reason: "client_id_differs",
    spec: "RFC 9101 §5",
    expected: `client_id=${clientId ?? ""}`,
    received: outer.get("client_id") ?? "no client_id",
  });
}

/** Notes the names of parameters that the client may expect to count: their value is not the one of the request. */
function noteIgnored(param: string, { params }: ResolvedRequest, outer: Params, exchange: Exchange): void {
  const ignored = outer.pairs.filter(([name, value]) =>
    name !== param && name !== "client_id" && value !== "" && !params.all(name).includes(value)
  );
  if (ignored.length === 0) return;
  const advice: Advice = {
    reason: "parameters_ignored" satisfies ResolveRequestAdvice,
    description: `With ${param}, only the parameters inside of the request count`,
    spec: "RFC 9101 §6.3, RFC 9126 §4",
    expected: `client_id and ${param}`,
    received: listNames(ignored),
  };
  exchange.note({ advice });
}
