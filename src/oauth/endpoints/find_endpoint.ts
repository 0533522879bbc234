/** Which endpoint answers a request. A request that has none gets one that refuses, and leaves like all others. */

import { type Address, longestUrl, namesLoopback } from "../../http/address.ts";
import { preflight } from "../../http/cors.ts";
import type { IncomingRequest } from "../../http/message.ts";
import type { Found, Match, Router } from "../../http/router.ts";
import { fail } from "../error.ts";
import type { Endpoint } from "../feature.ts";
import type { Settings } from "../settings.ts";

export type EndpointReason = "host_unknown" | "path_unknown" | "method_not_allowed" | "url_too_long";

/** How a refusal leaves, and whether scripts of other origins may read it. */
type Leaving = Pick<Endpoint, "refusal" | "cors">;

export function findEndpoint(
  request: IncomingRequest,
  router: Router<Endpoint>,
  settings: Settings,
): Found<Endpoint> {
  const { method, address } = request;
  const match = router(method, address.path);
  // To a script of another origin this is not its server, so it may not read the refusal.
  if (!isOwnHost(address, settings)) {
    return refusing({ refusal: leavingOf(match, request).refusal }, () => refuseHost(address, settings));
  }
  if (address.length > longestUrl) return refusing(leavingOf(match, request), refuseLongUrl);
  if (match === undefined) {
    return refusing(leavingOf(match, request), () => refusePath(address, settings));
  }
  if ("handler" in match) return match;
  const { allow, anyHandler } = match;
  return refusing(anyHandler, () => {
    return method === "OPTIONS" && anyHandler.cors ? preflight(allow) : refuseMethod(method, allow);
  });
}

/** As the endpoint itself would refuse; without one, people get a page and programs get JSON. */
function leavingOf(match: Match<Endpoint>, request: IncomingRequest): Leaving {
  if (match === undefined) {
    return { refusal: request.header("accept")?.includes("text/html") ? "page" : "json" };
  }
  return "handler" in match ? match.handler : match.anyHandler;
}

function refusing({ refusal, cors }: Leaving, handle: Endpoint["handle"]): Found<Endpoint> {
  const handler: Endpoint = { method: "GET", path: "", refusal, handle, ...(cors ? { cors } : {}) };
  return { handler, variable: "" };
}

/** The Host header decides nothing, so a foreign one is a mistake or an attack (HOST-01). */
function isOwnHost({ host }: Address, { issuerHost }: Settings): boolean {
  return host === issuerHost || namesLoopback(host);
}

function refuseHost({ host }: Address, { issuer }: Settings): never {
  fail<EndpointReason>("invalid_request", "This server is not known under that name", {
    reason: "host_unknown",
    spec: "RFC 9110 §7.4",
    status: 421,
    expected: `${issuer}, or the other name as the issuer of this server`,
    received: host,
  });
}

function refuseLongUrl(): never {
  fail<EndpointReason>("invalid_request", `The address is longer than ${longestUrl} characters`, {
    reason: "url_too_long",
    status: 414,
  });
}

/** If the issuer has a path, the usual mistake is a proxy that removes it. */
function refusePath({ path }: Address, { basePath }: Settings): never {
  const isBelow = basePath === "" || path.startsWith(`${basePath}/`);
  fail<EndpointReason>("invalid_request", "There is nothing at this address", {
    reason: "path_unknown",
    status: 404,
    ...(isBelow ? {} : { expected: `an address below ${basePath}/` }),
    received: path,
  });
}

function refuseMethod(method: string, allow: string): never {
  fail<EndpointReason>("invalid_request", `This address takes ${allow}`, {
    reason: "method_not_allowed",
    status: 405,
    headers: { allow },
    expected: allow,
    received: method,
  });
}
