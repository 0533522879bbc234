/** Finds and lists clients in the sources of clients: the configuration, and those that features add. */

import type { Exchange } from "../../contracts/exchange.ts";
import type { ClientSource, Credentials, Services, Slots } from "../../contracts/feature.ts";
import type { Client, ClientUse } from "../../contracts/client.ts";

/** The configuration is the source that is searched first. It needs no feature. */
export const configuredClients: ClientSource = {
  name: "configuration",
  expects: () => "a configured client",
  find: (id, { settings }) => Promise.resolve(settings.clients.get(id)),
};

/** Finds a client by its id. Pass the exchange of a request that the client makes, so that a source may fetch it. */
export async function findClient(
  id: string,
  services: Services,
  exchange?: Exchange,
): Promise<Client | undefined> {
  // The configuration comes first, and most clients are in it.
  const configured = services.settings.clients.get(id);
  if (configured !== undefined) return configured;
  for (const source of listSources(id, services)) {
    const client = await source.find(id, services, exchange);
    if (client !== undefined) return client;
  }
  return undefined;
}

/** Finds the client that credentials name. A client with a document has no secret, so a secret fetches no document. */
export async function findNamedClient(
  { clientId, secret }: Credentials,
  exchange: Exchange,
  services: Services,
): Promise<Client | undefined> {
  return await findClient(clientId, services, secret === undefined ? exchange : undefined);
}

export function findCandidate(
  id: string,
  redirectUri: string | undefined,
  services: Services,
): Client | undefined {
  for (const source of listSources(id, services)) {
    const candidate = source.findCandidate?.(id, redirectUri, services);
    if (candidate !== undefined) return candidate;
  }
  return undefined;
}

/** Stores a client that a person has approved. A source that stores no clients returns the client unchanged. */
export async function keepClient(client: Client, services: Services): Promise<Client> {
  return await sourceOf(client, services)?.keep?.(client, services) ?? client;
}

/** Records that the client is about to get tokens. Returns `false` if the client must authenticate again. */
export async function recordClientUse(client: Client, use: ClientUse, services: Services): Promise<boolean> {
  return await sourceOf(client, services)?.recordUse?.(client, use, services) ?? true;
}

function sourceOf({ source }: Client, { slots }: Services): ClientSource | undefined {
  return slots.clientSources.get(source);
}

export function listSources(id: string, { slots }: Pick<Services, "slots">): readonly ClientSource[] {
  return slots.clientSearches.find(({ owns }) => owns?.(id) ?? true)!.sources;
}

export async function findPollingCandidate(
  id: string,
  grantType: string,
  services: Services,
): Promise<Client | undefined> {
  for (const source of listSources(id, services)) {
    const candidate = await source.findPollingCandidate?.(id, grantType, services);
    if (candidate !== undefined) return candidate;
  }
  return undefined;
}

export function acceptsUnknownClients({ clientSources }: Pick<Slots, "clientSources">): boolean {
  return [...clientSources.values()].some(({ findCandidate }) => findCandidate !== undefined);
}

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
