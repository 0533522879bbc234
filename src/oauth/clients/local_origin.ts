/** Decides which web pages may drive a server on this machine. Pages of the internet may not. */

import { namesLoopback } from "../../http/address.ts";
import type { Services } from "../services.ts";
import { isReservedForTests } from "./redirect_uri.ts";

/**
 * Whether the page is on the issuer's host or on this machine. If the issuer has a name that is reserved for tests, all
 * reserved names are local.
 */
export function isLocalOrigin(origin: string, { settings }: Pick<Services, "settings">): boolean {
  // RFC 6454 §7.3: `null` comes from a page that hides its origin.
  if (!URL.canParse(origin)) return false;
  const { host, hostname } = new URL(origin);
  return hostname === new URL(settings.issuer).hostname || namesLoopback(host) ||
    hostname.endsWith(".localhost") || settings.reservedForTests && isReservedForTests(origin);
}
