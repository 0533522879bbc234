/** Finding clients: in the configuration, and in every other source. */

import { fail } from "../error.ts";
import { type Params, requireUnrepeated } from "../params.ts";
import type { Services } from "../services.ts";
import type { Client, Settlement } from "./client.ts";

export type ClientReason = "client_id_missing" | "client_unknown";

/** A client that exists, wherever it is held. */
export async function findClient(id: string, services: Services): Promise<Client | undefined> {
  const configured = services.settings.clients.get(id);
  if (configured !== undefined) return configured;
  for (const source of services.slots.clientSources) {
    const client = await source.find(id, services);
    if (client !== undefined) return client;
  }
  return undefined;
}

/** Who asks at the authorization endpoint: not authenticated, and perhaps a client only once somebody approves. */
export async function identifyClient(params: Params, services: Services): Promise<Client> {
  // Which of two values counts would be a guess, and these two decide where the answer goes.
  requireUnrepeated(params, (name) => name === "client_id" || name === "redirect_uri");
  const id = params.get("client_id");
  if (id === undefined) {
    fail<ClientReason>("invalid_request", "The request does not say which client it is from", {
      reason: "client_id_missing",
      spec: "OAuth 2.1 §4.1.1",
      expected: "client_id",
    });
  }
  const client = await findClient(id, services);
  if (client !== undefined) return client;
  for (const source of services.slots.clientSources) {
    const proposed = source.propose?.(id, params.get("redirect_uri"), services);
    if (proposed !== undefined) return proposed;
  }
  return fail<ClientReason>("invalid_request", "This client is not known here", {
    reason: "client_unknown",
    spec: "OAuth 2.1 §4.1.2.1",
    expected: services.slots.clientSources.map((source) => source.expects).join(", ") ||
      "a configured client",
    received: id,
  });
}

/** Somebody approved a client that nobody configured: from now on it is one. */
export async function adoptClient(client: Client, services: Services): Promise<Client> {
  if (client.origin === "configured") return client;
  const source = services.slots.clientSources.find((each) => each.adopt !== undefined);
  return await source?.adopt?.(client, services) ?? client;
}

/** The client is about to get tokens. `false`: it has changed meanwhile, and is to be authenticated again. */
export async function settleClient(client: Client, terms: Settlement, services: Services): Promise<boolean> {
  if (client.origin === "configured") return true;
  const source = services.slots.clientSources.find((each) => each.settle !== undefined);
  return await source?.settle?.(client, terms, services) ?? true;
}
