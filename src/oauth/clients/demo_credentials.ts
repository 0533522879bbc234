/** The demo client's secret is published, so any web page could use it. The server accepts it from local pages only. */

import { namesLoopback } from "../../http/address.ts";
import { fail } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { isReservedForTests } from "./redirect_uri.ts";

export type DemoCredentialsReason = "demo_credentials_from_foreign_origin";

export function requireLocalPage(client: Client, { request }: Exchange, services: Services): void {
  const origin = request.header("origin");
  if (client.demoSecret === undefined || origin === undefined || isLocal(origin, services)) return;
  fail<DemoCredentialsReason>("unauthorized_client", "A foreign web page may not use the demo credentials", {
    reason: "demo_credentials_from_foreign_origin",
    status: 403,
    expected:
      "a request without Origin, or from a page of this host or of this machine; for any other page, " +
      "configure its own client",
    received: `Origin: ${origin}`,
  });
}

/** Whether the page is on the issuer's host or on this machine. A reserved issuer makes all reserved names local. */
function isLocal(origin: string, { settings }: Services): boolean {
  // RFC 6454 §7.3: `null` comes from a page that hides its origin.
  if (!URL.canParse(origin)) return false;
  const { host, hostname } = new URL(origin);
  return hostname === new URL(settings.issuer).hostname || namesLoopback(host) ||
    hostname.endsWith(".localhost") || settings.reservedForTests && isReservedForTests(origin);
}
