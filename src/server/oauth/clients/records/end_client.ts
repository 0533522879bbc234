/** Ends clients in the store, and frees their seats. */

import { ended, type Entry, limitAttempts } from "../../../store/store.ts";
import type { Services } from "../../contracts/feature.ts";
import type { Client } from "../../contracts/client.ts";
import { freeSeat } from "./client_seats.ts";
import { storedClients } from "./stored_client.ts";

/** Ends a client that registered itself, or that a person approved. Returns `false` if the store has no such client. */
export async function endClient(id: string, services: Services): Promise<boolean> {
  for (const retry = limitAttempts();; retry()) {
    const entry = await services.store.get(storedClients, id, services.now());
    if (entry === undefined) return false;
    if (await endStoredClient(entry, services)) return true;
  }
}

/** Returns `false` if another request has changed the client, and so maybe its registration access token. */
export async function endStoredClient(
  { value, version }: Entry<Client>,
  services: Services,
): Promise<boolean> {
  const { store, now } = services;
  const { id, source, placeList = source } = value;
  // A delete of the record would also delete a new client with this id.
  const terms = { expiresAt: ended, now: now(), if: version };
  if (await store.put(storedClients, id, value, terms) === undefined) return false;
  await freeSeat(placeList, id, services);
  return true;
}
