/** Finds the endpoint of a request. If there is none, the result is an endpoint that refuses the request. */

import type { IncomingRequest } from "../../ground/http/message.ts";
import { type Address, longestUrl, namesIpAddress } from "../../ground/http/address.ts";
import { isNavigation } from "../../ground/http/request_origin.ts";
import { preflight, redirect } from "../../ground/http/respond.ts";
import type { Found, Match, Router } from "../../ground/http/router.ts";
import type { Endpoint, Services, Slots } from "../oauth/contracts/feature.ts";
import { findAtOtherPort, isBrowserHost, isOwnHost } from "../oauth/requests/server_urls.ts";
import {
  refuseAtOtherPort,
  refuseBrowser,
  refuseHost,
  refuseLongUrl,
  refuseMethod,
  refusePath,
} from "./refuse_request.ts";
import { present } from "../../ground/values/present.ts";

type RefusalFormat = Pick<Endpoint, "refusal" | "cors" | "name">;

export function findEndpoint(
  request: IncomingRequest,
  router: Router<Endpoint>,
  services: Services,
): Found<Endpoint> {
  const { method, address } = request;
  const { settings, slots } = services;
  const match = router(method, address.path);
  const isElsewhere = findAtOtherPort(address, settings) !== undefined;
  // Without `cors`: no script may use this server under a foreign name.
  if (!isElsewhere && !isOwnHost(address, settings) && !acceptsHost(match, address)) {
    const { refusal } = formatOf(match, request);
    return createAnswering({ refusal }, () => refuseHost(address, settings));
  }
  if (
    settings.also.length > 0 && findAnyEndpoint(match)?.refusal === "page" &&
    !isBrowserHost(address, settings)
  ) {
    const isLed = settings.leads?.includes(address.origin) && method === "GET";
    const { path, query } = address;
    return createAnswering(
      { refusal: "page" },
      () =>
        isLed
          ? redirect(`${new URL(settings.baseUrl).origin}${path}${query === "" ? "" : `?${query}`}`)
          : refuseBrowser(address, settings),
    );
  }
  if (isElsewhere && !isAtOtherPort(match, slots)) {
    return createAnswering({ refusal: "json" }, () => refuseAtOtherPort(services));
  }
  if (address.length > longestUrl) {
    return createAnswering(formatOf(match, request), () => refuseLongUrl());
  }
  if (match === undefined) {
    const format = formatOf(match, request);
    // A script that may not send its request cannot read that the address is wrong.
    const isPreflight = method === "OPTIONS" && request.header("access-control-request-method") !== undefined;
    return createAnswering(
      format,
      () => isPreflight ? preflight("GET, POST, PUT, DELETE") : refusePath(request, services),
    );
  }
  if ("handler" in match) return match;
  const { allow, anyHandler } = match;
  if (method === "OPTIONS" && anyHandler.cors) {
    const { refusal, cors } = anyHandler;
    return createAnswering({ refusal, cors }, () => preflight(allow));
  }
  return createAnswering(anyHandler, () => refuseMethod(method, { allow, anyHandler }, services));
}

/** Returns the format that the endpoint uses. Without an endpoint for the path, a browser gets a page, and a script JSON. */
function formatOf(match: Match<Endpoint>, request: IncomingRequest): RefusalFormat {
  return findAnyEndpoint(match) ?? { refusal: isNavigation(request) ? "page" : "json", cors: true };
}

function createAnswering(
  { refusal, cors, name }: RefusalFormat,
  handle: Endpoint["handle"],
): Found<Endpoint> {
  const handler: Endpoint = {
    method: "GET",
    path: "",
    refusal,
    handle,
    ...present({ cors, name }),
  };
  return { handler, variable: "" };
}

function isAtOtherPort(match: Match<Endpoint>, { otherPort }: Slots): boolean {
  const endpoint = findAnyEndpoint(match);
  return endpoint !== undefined && otherPort !== undefined && otherPort.serves(endpoint);
}

/** Returns an endpoint at the path, maybe for another method. */
function findAnyEndpoint(match: Match<Endpoint>): Endpoint | undefined {
  return match && ("handler" in match ? match.handler : match.anyHandler);
}

/** A foreign name may be that of an attacker, whose DNS leads it to this machine. An IP address leads nowhere else. */
function acceptsHost(match: Match<Endpoint>, { host }: Address): boolean {
  return match !== undefined && "handler" in match && match.handler.acceptsIpHost === true &&
    namesIpAddress(host);
}
