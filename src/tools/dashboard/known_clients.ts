/** Lists the clients of the server: the configured ones, and those of the other sources. */

import type { Client } from "../../server/oauth/contracts/client.ts";
import { listAllClients } from "../../server/oauth/clients/records/find_client.ts";
import type { Services } from "../../server/oauth/contracts/feature.ts";

/** The maximum number of clients in a list, as a bound for a server that many clients have used. */
export const mostClients = 1000;

/** Finds a client in a list, because a search would fetch the document of a client that has one. */
export async function findKnownClient(id: string, services: Services): Promise<Client | undefined> {
  return services.settings.clients.get(id) ??
    (await listKnownClients(services)).find((client) => client.id === id);
}

export async function listKnownClients(services: Services): Promise<readonly Client[]> {
  return await listAllClients(mostClients, services);
}
