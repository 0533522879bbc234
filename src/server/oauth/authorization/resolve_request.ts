/** Replaces a reference, for example a request_uri, by the parameters of its request (RFC 9101 §5, RFC 9126 §4). */

import type { Exchange } from "../contracts/exchange.ts";
import { listNames, type Params, requireUnrepeated } from "../contracts/params.ts";
import { type AdviceRows, advices, type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Services } from "../contracts/feature.ts";
import type { ResolvedRequest } from "../contracts/authorization_request.ts";
import { requireSupportedParams } from "./require_authorization_request.ts";

const refusal = refusals({ error: "invalid_request", spec: "RFC 9101 §5" }, {
  two_request_sources: {
    sentence: "{params} cannot be combined",
    change: "Send either request or request_uri.",
  },
  client_id_differs: {
    sentence: "This request was made for another client",
    expected: "the client_id for which it was made",
    change: "Name the same client everywhere in the request.",
  },
});

export const refused: RefusalRows = refusal.rows;

const advice = advices({
  parameters_ignored: {
    spec: "RFC 9101 §6.3, RFC 9126 §4",
    sentence: "With {param}, only the parameters inside of the request count",
    expected: "client_id and {param}",
    change: "Put the parameters into the request object, because the server reads no others.",
  },
});

export const advised: AdviceRows = advice.rows;

/** Returns the parameters of the request. Errors are shown on a page, because no redirect URI has been verified yet. */
export async function resolveRequest(
  outer: Params,
  exchange: Exchange,
  services: Services,
): Promise<ResolvedRequest> {
  const sources = services.slots.requestSources.filter(({ param }) => outer.get(param) !== undefined);
  if (sources.length === 0) return takeOuterRequest(outer, services);
  const params = new Set(sources.map(({ param }) => param));
  requireUnrepeated(outer, (name) => params.has(name) || name === "client_id");
  if (params.size > 1) throw refusal("two_request_sources", { params: [...params].join(" and ") });
  for (const { param, resolve } of sources) {
    const resolved = await resolve(outer.get(param)!, outer, exchange, services);
    if (resolved === undefined) continue;
    requireSameClient(resolved, outer);
    if (exchange.hasJournal && resolved.refusal === undefined) noteIgnored(param, resolved, outer, exchange);
    return resolved;
  }
  return takeOuterRequest(outer, services);
}

function takeOuterRequest(outer: Params, services: Services): ResolvedRequest {
  // Without a redirect URI, the client cannot get this error later, and a page should not complain about that URI.
  if (outer.get("redirect_uri") === undefined) requireSupportedParams(outer, services);
  return { params: outer, arrivedBy: [] };
}

/** Requires that the client_id outside and inside the request are equal (RFC 9101 §5, §6.3; RFC 9126 §4). */
function requireSameClient({ params }: ResolvedRequest, outer: Params): void {
  const clientId = params.get("client_id");
  if (clientId !== undefined && clientId === outer.get("client_id")) return;
  throw refusal("client_id_differs", {
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
  exchange.note({ advice: advice("parameters_ignored", { param, received: listNames(ignored) }) });
}
