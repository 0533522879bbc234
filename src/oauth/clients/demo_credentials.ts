/** The demo client's secret is published, so any web page could use it. The server accepts it from local pages only. */

import { fail } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { isLocalOrigin } from "./local_origin.ts";

export type DemoCredentialsReason = "demo_credentials_from_foreign_origin";

export function requireLocalPage(client: Client, { request }: Exchange, services: Services): void {
  const origin = request.header("origin");
  if (client.demoSecret === undefined || origin === undefined || isLocalOrigin(origin, services)) return;
  fail<DemoCredentialsReason>("unauthorized_client", "A foreign web page may not use the demo credentials", {
    reason: "demo_credentials_from_foreign_origin",
    status: 403,
    expected:
      "a request without Origin, or from a page of this host or of this machine; for any other page, " +
      "configure its own client",
    received: `Origin: ${origin}`,
  });
}
