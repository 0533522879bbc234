/** Decides which web pages may drive a server on this machine. Pages of the internet may not. */

import { namesLoopback } from "../../../../ground/http/address.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import type { Services } from "../../contracts/feature.ts";
import { isReservedForTests } from "../metadata/redirect_uri.ts";

/** Returns the origin of the web page that sent the request, if the page is a foreign one. Programs send no Origin. */
export function findForeignOrigin({ request }: Exchange, services: Services): string | undefined {
  const origin = request.header("origin");
  return origin === undefined || isLocalOrigin(origin, services) ? undefined : origin;
}

/** If the issuer has a name that is reserved for tests, all reserved names are local. */
function isLocalOrigin(origin: string, { settings }: Services): boolean {
  // RFC 6454 §7.3: `null` comes from a page that hides its origin.
  if (!URL.canParse(origin)) return false;
  const { host, hostname } = new URL(origin);
  return hostname === new URL(settings.baseUrl).hostname || namesLoopback(host) ||
    hostname.endsWith(".localhost") || settings.reservedForTests && isReservedForTests(origin);
}
