/** Ends a client in the store. Its tokens end with it, because each use of a token looks for the client. */

import { ended, type Entry } from "../../store/store.ts";
import { nextAttempt } from "../../store/retry_limit.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { freePlace } from "./client_places.ts";
import { storedClients } from "./stored_client.ts";

/** Ends a client that registered itself, or that a person approved. Returns `false` if the store has no such client. */
export async function endClient(id: string, services: Services): Promise<boolean> {
  for (let attempt = 1;; attempt = nextAttempt(attempt)) {
    const entry = await services.store.get(storedClients, id, services.now());
    if (entry === undefined) return false;
    if (await endStoredClient(entry, services)) return true;
  }
}

/**
 * Ends the client of this record. Returns `false` if another request has changed the client, and so maybe its
 * registration access token.
 */
export async function endStoredClient(
  { value, version }: Entry<Client>,
  services: Services,
): Promise<boolean> {
  const { store, now } = services;
  const { id, source, placeList = source } = value;
  // A delete of the record would also delete a new client with this id.
  const terms = { expiresAt: ended, now: now(), if: version };
  if (await store.put(storedClients, id, value, terms) === undefined) return false;
  await freePlace(placeList, id, services);
  return true;
}
