/** Selects the properties of a client that pages show. */

import type { ClientSummary } from "../pages.ts";
import type { Client } from "./client.ts";

export function summariseClient(client: Client): ClientSummary {
  return {
    id: client.id,
    ...(client.name === undefined ? {} : { name: client.name }),
    isUnverified: client.approvedBy !== "operator",
  };
}
