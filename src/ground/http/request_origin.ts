/** Tells where a request comes from: from which machine, and from which site. */

import { plainIp } from "../values/ip_address.ts";
import { acceptsHtml, type IncomingRequest } from "./message.ts";
import { classifyAddress } from "./special_address.ts";
import { namesLoopback } from "./address.ts";

/** An unknown address counts as another machine, for example after the socket has closed. */
export function isFromThisMachine(request: IncomingRequest): boolean {
  const { peer } = request;
  // A proxy on this machine may forward requests of other machines.
  return peer !== undefined && classifyAddress(plainIp(peer)) === "loopback" && !isForwarded(request);
}

/** As `isFromThisMachine`, but a request without a peer comes from this process. */
export function isFromThisMachineOrProcess(request: IncomingRequest): boolean {
  return request.peer === undefined ? !isForwarded(request) : isFromThisMachine(request);
}

const proxyHeader = /^(forwarded|via|x-real-ip|x-forwarded(-.+)?|cf-connecting-ip|true-client-ip)$/i;

export function isForwarded(request: IncomingRequest): boolean {
  return request.headers().some(([name]) => proxyHeader.test(name));
}

/**
 * Whether a browser opens the address and shows the answer. A program or a script does not, although it may accept HTML.
 * Browsers say so (Fetch Metadata Request Headers §2.2), but old ones never do, and others only on https or this machine.
 * Elsewhere, a navigation prefers https (Upgrade Insecure Requests §3.2.1).
 */
export function isNavigation(request: IncomingRequest): boolean {
  const mode = request.header("sec-fetch-mode");
  const isOpened = mode === undefined
    ? request.header("upgrade-insecure-requests") === "1"
    : mode === "navigate";
  return isOpened && acceptsHtml(request);
}

/** `not cross-site`: from a page of the same site, from the address bar, or from a program that is not a browser. */
export type FetchSite = "not cross-site" | "cross-site document" | "cross-site iframe" | "cross-site other";

/** Reads the Fetch Metadata Request Headers. A site has no port, and 127.0.0.1 and localhost are two sites. */
export function readFetchSite(request: IncomingRequest): FetchSite {
  const site = request.header("sec-fetch-site");
  if (site === undefined) return hasForeignOrigin(request) ? "cross-site other" : "not cross-site";
  if (["same-origin", "same-site", "none"].includes(site)) return "not cross-site";
  switch (request.header("sec-fetch-dest")) {
    case "document":
      // The browser prefetches or prerenders the page, and the person has not opened it.
      return request.header("sec-purpose") === undefined ? "cross-site document" : "cross-site other";
    case "iframe":
      return "cross-site iframe";
    default:
      return "cross-site other";
  }
}

/** Whether a page of another site has made the request, also by a link. */
export function isCrossSite(request: IncomingRequest): boolean {
  return readFetchSite(request) !== "not cross-site";
}

/** Chromium sends no Sec-Fetch-Site when a page opens a WebSocket, and old browsers never do. Both send the Origin. */
function hasForeignOrigin(request: IncomingRequest): boolean {
  const origin = request.header("origin");
  if (origin === undefined) return false;
  // RFC 6454 §7.3: `null` comes from a page that hides its origin.
  if (!URL.canParse(origin)) return true;
  const { hostname } = new URL(origin);
  const isOwn = hostname === new URL(request.address.origin).hostname;
  return !isOwn && !namesLoopback(hostname) && !hostname.endsWith(".localhost");
}
