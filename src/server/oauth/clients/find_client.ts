/** Finds a client in the sources of clients: the configuration, and those that features add. */

import type { Exchange } from "../exchange.ts";
import type { ClientSource, Credentials } from "../feature.ts";
import { describeMissing, type Params, requireUnrepeated } from "../params.ts";
import { type RefusalRows, refusals } from "../refusals.ts";
import type { Services } from "../services.ts";
import type { Client, ClientUse } from "./client.ts";
import { listSources } from "./client_sources.ts";
import { refuseUnknownClient } from "./refuse_unknown_client.ts";
import { noteUnknownClient } from "./unknown_client.ts";

const refusal = refusals({
  client_id_missing: {
    error: "invalid_request",
    spec: "OAuth 2.1 §4.1.1",
    sentence: "The request does not name its client",
    expected: "client_id",
    change: "Add the client_id, or authenticate the client in the Authorization header.",
  },
});

export const refused: RefusalRows = refusal.rows;

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

/**
 * Finds the client of an authorization request. An unknown id may give a candidate, which its source stores only if a
 * person approves the request.
 */
export async function identifyClient(
  params: Params,
  exchange: Exchange,
  services: Services,
): Promise<Client> {
  // These two decide where the answer goes, so the server must not choose between two values.
  requireUnrepeated(params, (name) => name === "client_id" || name === "redirect_uri");
  const id = params.get("client_id");
  if (id === undefined) {
    throw refusal("client_id_missing", { received: describeMissing("client_id", params) });
  }
  const client = await findClient(id, services, exchange);
  if (client === undefined) return requireCandidate(id, params.get("redirect_uri"), exchange, services);
  exchange.note({ clientId: client.id });
  return client;
}

function requireCandidate(
  id: string,
  redirectUri: string | undefined,
  exchange: Exchange,
  services: Services,
): Client {
  const notedId = noteUnknownClient(id, exchange, services);
  const candidate = findCandidate(id, redirectUri, services);
  if (candidate === undefined) return refuseUnknownClient({ id, notedId, redirectUri }, services);
  exchange.note({ clientId: notedId, clientIsUnknown: false });
  return candidate;
}

/** Returns the client that an unknown id becomes if a person approves the request. */
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
