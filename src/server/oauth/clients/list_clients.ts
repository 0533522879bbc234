/** Lists the clients of all sources, for pages. */

import type { Services } from "../services.ts";
import type { Client } from "./client.ts";

/** Lists all configured clients, then others up to this number in all. */
export async function listAllClients(most: number, services: Services): Promise<readonly Client[]> {
  const { settings, slots } = services;
  const clients = [...settings.clients.values()];
  for (const source of slots.clientSources.values()) {
    for await (const client of source.list?.(services) ?? []) {
      if (clients.length >= most) return clients;
      clients.push(client);
    }
  }
  return clients;
}
