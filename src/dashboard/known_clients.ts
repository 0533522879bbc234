/** Lists the clients of the server: the configured ones, and those of the other sources. */

import type { Client } from "../oauth/clients/client.ts";
import type { Services } from "../oauth/services.ts";

// A bound for a server that many clients have used.
const mostClients = 1000;

export async function listKnownClients(services: Services): Promise<readonly Client[]> {
  const clients = [...services.settings.clients.values()];
  for (const source of services.slots.clientSources.values()) {
    for await (const client of source.list?.(services) ?? []) {
      if (clients.length >= mostClients) return clients;
      clients.push(client);
    }
  }
  return clients;
}
