/** Decides which requests may open a page of the dashboard. */

import { ControlRefused } from "../guard/control_refused.ts";
import { requireHost, requireLoopback, requireNoWebPage } from "../guard/guard.ts";
import type { IncomingRequest } from "../../ground/http/message.ts";

/** Throws a `ControlRefused` for a request of another machine, of another host name, or of a page of another site. */
export function requireOwnRequest(
  request: IncomingRequest,
  { issuer, isReached }: { readonly issuer: string; readonly isReached: boolean },
): void {
  requireHost(request, issuer);
  // A person may follow a link from another site. The page then opens as usual, and that site cannot read it.
  if (!isNavigation(request)) requireNoWebPage(request, issuer);
  if (!isReached) requireLoopback(request);
}

/** Other requests, such as navigations from another site, could take all streams. */
export function requireEventSource(request: IncomingRequest): void {
  const accepts = request.header("accept")?.includes("text/event-stream") === true;
  const isFromScript = (request.header("sec-fetch-dest") ?? "empty") === "empty";
  const isOwn = (request.header("sec-fetch-site") ?? "same-origin") === "same-origin";
  if (accepts && isFromScript && isOwn) return;
  throw new ControlRefused("access_denied", "Only a page of this server may follow the events", {
    expected: "an EventSource on a page of this server, which sends Accept: text/event-stream",
  });
}

function isNavigation(request: IncomingRequest): boolean {
  return request.method === "GET" && request.header("sec-fetch-mode") === "navigate" &&
    request.header("sec-fetch-dest") === "document";
}
