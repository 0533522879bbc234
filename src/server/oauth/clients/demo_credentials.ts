/** The demo client's secret is published, so any web page could use it. The server accepts it from local pages only. */

import type { Exchange } from "../exchange.ts";
import { type RefusalRows, refusals } from "../refusals.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { findForeignOrigin } from "./foreign_origin.ts";

const refusal = refusals({
  demo_credentials_from_foreign_origin: {
    error: "unauthorized_client",
    status: 403,
    sentence: "A foreign web page may not use the demo credentials",
    expected:
      "a request without Origin, or from a page of this host or of this machine; for any other page, configure its own client",
    change: "Configure a client of its own for the page, with its redirect URI.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function requireLocalPage(client: Client, exchange: Exchange, services: Services): void {
  if (client.demoSecret === undefined) return;
  const origin = findForeignOrigin(exchange, services);
  if (origin === undefined) return;
  throw refusal("demo_credentials_from_foreign_origin", { received: `Origin: ${origin}` });
}
