/** Finds the endpoint of a request. If there is none, the result is an endpoint that refuses the request. */

import { acceptsHtml } from "../http/accepts_html.ts";
import { type Address, longestUrl, namesIpAddress, namesLoopback } from "../http/address.ts";
import { preflight } from "../http/cors.ts";
import type { IncomingRequest } from "../http/message.ts";
import type { Found, Match, Router } from "../http/router.ts";
import type { Endpoint, Slots } from "../oauth/feature.ts";
import { baseUrlFor, findAtOtherPort, findOtherName } from "../oauth/request_url.ts";
import { type RefusalRows, refusals } from "../oauth/refusals.ts";
import type { Services } from "../oauth/services.ts";
import type { Settings } from "../oauth/settings.ts";
import { present } from "../present.ts";

const nothing = {
  error: "not_found",
  change: "Take the address of the endpoint from the discovery document, and do not build it by hand.",
} as const;

const refusal = refusals({
  host_unknown: {
    error: "invalid_request",
    status: 421,
    spec: "RFC 9110 §7.4",
    sentence: "This server is not known under that name",
    expected: "the host of the issuer. If the other name is right, make it the issuer",
    change: "Send the request to the host of the issuer, or start the server with this host as its --issuer.",
  },
  host_for_programs: {
    error: "invalid_request",
    status: 421,
    spec: "RFC 9110 §7.4",
    sentence: "Only programs reach this server under that name",
    expected: "the host of the issuer, for the pages that browsers show",
    change: "Open the page at the host of the issuer: the names of --also are for programs.",
  },
  other_port: {
    error: "not_found",
    spec: "RFC 8705 §5",
    status: 421,
    sentence: "This port is for {purpose} only",
    expected: "{location}",
    change: "Send the request to the port of the issuer.",
  },
  url_too_long: {
    error: "invalid_request",
    status: 414,
    sentence: `The address is longer than ${longestUrl} characters`,
    change: "Shorten the address: send the parameters in a POST, or as a pushed request.",
  },
  path_unknown: { ...nothing, sentence: "There is nothing at this address" },
  path_similar: {
    ...nothing,
    reason: "path_unknown",
    sentence: "There is nothing at this address. {location}",
  },
  method_not_allowed: {
    error: "invalid_request",
    status: 405,
    sentence: "This address takes {allow}",
    expected: "{allow}",
    change: "Use a method that the response names in its Allow header.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The format of a refusal, whether scripts of other origins may read it, and the endpoint that refuses. */
type RefusalFormat = Pick<Endpoint, "refusal" | "cors" | "name">;

export function findEndpoint(
  request: IncomingRequest,
  router: Router<Endpoint>,
  services: Services,
): Found<Endpoint> {
  const { method, address } = request;
  const { settings, slots } = services;
  const match = router(method, address.path);
  // Without `cors`: no script may use this server under a foreign name.
  const isElsewhere = findAtOtherPort(address, settings) !== undefined;
  if (!isElsewhere && !isOwnHost(address, settings) && !acceptsHost(match, address)) {
    return createRefusing({ refusal: formatOf(match, request).refusal }, () => refuseHost(address, settings));
  }
  if (settings.also.length > 0 && isForBrowsers(match) && !isBrowserHost(address, settings)) {
    return createRefusing({ refusal: "page" }, () => refuseBrowser(address, settings));
  }
  if (isElsewhere && !isAtOtherPort(match, slots)) {
    return createRefusing({ refusal: formatOf(match, request).refusal }, () => refuseAtOtherPort(services));
  }
  if (address.length > longestUrl) return createRefusing(formatOf(match, request), refuseLongUrl);
  if (match === undefined) {
    return createRefusing(formatOf(match, request), () => refusePath(request, services));
  }
  if ("handler" in match) return match;
  const { allow, anyHandler } = match;
  if (method === "OPTIONS" && anyHandler.cors) {
    const { refusal, cors } = anyHandler;
    return createRefusing({ refusal, cors }, () => preflight(allow));
  }
  return createRefusing(anyHandler, () => refuseMethod(method, allow));
}

/** Returns the format that the endpoint at this path uses. At an unknown path, a browser gets a page. */
function formatOf(match: Match<Endpoint>, request: IncomingRequest): RefusalFormat {
  if (match === undefined) {
    return { refusal: acceptsHtml(request) ? "page" : "json" };
  }
  return "handler" in match ? match.handler : match.anyHandler;
}

function createRefusing({ refusal, cors, name }: RefusalFormat, handle: Endpoint["handle"]): Found<Endpoint> {
  const handler: Endpoint = {
    method: "GET",
    path: "",
    refusal,
    handle,
    ...(cors ? { cors } : {}),
    ...present({ name }),
  };
  return { handler, variable: "" };
}

/** By which names requests may name the server. */
export type OwnNames = Pick<Settings, "issuerHost" | "also">;

/** Whether the host is that of the issuer, another name of the server, or loopback. A foreign host is a mistake or an attack. */
export function isOwnHost(address: Address, names: OwnNames): boolean {
  return isBrowserHost(address, names) || findOtherName(address, names) !== undefined;
}

/** Whether the server shows its pages at the host. Elsewhere, a browser would have other cookies than at the issuer. */
function isBrowserHost({ host }: Address, { issuerHost }: OwnNames): boolean {
  return host === issuerHost || namesLoopback(host);
}

function isAtOtherPort(match: Match<Endpoint>, { otherPort }: Slots): boolean {
  return match !== undefined && otherPort !== undefined &&
    otherPort.serves("handler" in match ? match.handler : match.anyHandler);
}

function isForBrowsers(match: Match<Endpoint>): boolean {
  return match !== undefined && ("handler" in match ? match.handler : match.anyHandler).refusal === "page";
}

/** A foreign name may be that of an attacker, whose DNS leads it to this machine. An IP address leads nowhere else. */
function acceptsHost(match: Match<Endpoint>, { host }: Address): boolean {
  return match !== undefined && "handler" in match && match.handler.acceptsIpHost === true &&
    namesIpAddress(host);
}

function refuseHost({ host }: Address, { issuer }: Settings): never {
  throw refusal("host_unknown", {
    expected: `${issuer}, or the other name as the issuer of this server`,
    received: host,
  });
}

function refuseBrowser({ host }: Address, { baseUrl }: Settings): never {
  throw refusal("host_for_programs", { expected: `this address below ${baseUrl}/`, received: host });
}

function refuseAtOtherPort({ settings, slots }: Services): never {
  throw refusal("other_port", {
    purpose: slots.otherPort!.purpose,
    location: `this address below ${settings.baseUrl}/`,
  });
}

function refuseLongUrl(): never {
  throw refusal("url_too_long");
}

/** Says where the endpoint is, because callers guess the paths of other servers, and proxies remove the issuer's path. */
async function refusePath(request: IncomingRequest, services: Services): Promise<never> {
  const { address: { path } } = request;
  const { settings } = services;
  const { basePath } = settings;
  const baseUrl = baseUrlFor({ request }, settings);
  const isBelow = basePath === "" || path.startsWith(`${basePath}/`);
  // Loaded late, because right clients call no unknown path.
  const { locateEndpoint } = await import("./locate_endpoint.ts");
  const location = locateEndpoint(path, services, baseUrl);
  const values = { ...(isBelow ? {} : { expected: `an address below ${baseUrl}/` }), received: path };
  throw location === undefined
    ? refusal("path_unknown", values)
    : refusal("path_similar", { location, ...values });
}

function refuseMethod(method: string, allow: string): never {
  throw refusal("method_not_allowed", { allow, headers: { allow }, received: method });
}
