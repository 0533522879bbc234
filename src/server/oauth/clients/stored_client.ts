/** Clients in the store, and the places that they have. */

import { ended, type Entry, type Kind, never, nextAttempt } from "../../store/store.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { markMargin } from "../clock_skew.ts";

/** All sources share one kind of record, so that two clients cannot have the same id. */
export const storedClients: Kind<Client> = { name: "client" };

/** Loads a client of this source. `undefined`: no client has the id, or the client belongs to another source. */
export async function loadClient(
  id: string,
  source: string,
  { store, now }: Services,
): Promise<Entry<Client> | undefined> {
  const entry = await store.get(storedClients, id, now());
  return entry?.value.source === source ? entry : undefined;
}

export async function* listClients(source: string, { store, now }: Services): AsyncIterable<Client> {
  for await (const { value, expiresAt } of store.list?.(storedClients) ?? []) {
    if (value.source === source && expiresAt > now()) yield value;
  }
}

/** Ends a client that registered itself, or that a person approved. Returns `false` if the store has no such client. */
export async function endClient(id: string, services: Services): Promise<boolean> {
  for (let attempt = 1;; attempt = nextAttempt(attempt)) {
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
  await freePlace(placeList, id, services);
  return true;
}

/** The maximum number of clients that one source keeps. */
export const mostKeptClients = 200;

export interface Place {
  readonly id: string;
  readonly takenAt: number;
}

/** The ids of the clients in a list, oldest first. One record holds them all, because a store cannot count records. */
export const placesKind: Kind<{ readonly taken: readonly Place[] }> = { name: "client_places" };

/** Reserves a place for the client. Returns `false` if every place is taken by a client that may have a live grant. */
export async function takePlace({ id, source }: Client, services: Services): Promise<boolean> {
  const { store, now } = services;
  for (let attempt = 1;; attempt = nextAttempt(attempt)) {
    const entry = await store.get(placesKind, source, now());
    const others = entry?.value.taken.filter((place) => place.id !== id) ?? [];
    const remaining = others.length < mostKeptClients ? others : await makeRoom(others, source, services);
    if (remaining === undefined) return false;
    const value = { taken: [...remaining, { id, takenAt: Math.floor(now()) }] };
    const terms = { expiresAt: never, now: now(), if: entry?.version ?? null };
    if (await store.put(placesKind, source, value, terms) !== undefined) return true;
  }
}

/** Ends the oldest client that has no live grant and returns the other places. `undefined`: each may have one. */
async function makeRoom(
  taken: readonly Place[],
  source: string,
  services: Services,
): Promise<readonly Place[] | undefined> {
  const { store, settings: { lifetimes }, now } = services;
  for (const place of taken) {
    const entry = await loadClient(place.id, source, services);
    // Another request may have just taken this place and may be about to write its client.
    if (entry === undefined && place.takenAt + lifetimes.code + markMargin > now()) continue;
    if (entry !== undefined) {
      // For a server whose clock is behind, the grant of the client is valid longer.
      if ((entry.value.aliveUntil ?? entry.expiresAt) + markMargin > now()) continue;
      // The write fails if a person has approved the client again meanwhile.
      const terms = { expiresAt: ended, now: now(), if: entry.version };
      if (await store.put(storedClients, place.id, entry.value, terms) === undefined) continue;
    }
    return taken.filter((each) => each !== place);
  }
  return undefined;
}

/** Frees the place of a client that has ended, or that has a place in another list. */
export async function freePlace(list: string, id: string, { store, now }: Services): Promise<void> {
  for (let attempt = 1;; attempt = nextAttempt(attempt)) {
    const entry = await store.get(placesKind, list, now());
    if (entry === undefined || !entry.value.taken.some((place) => place.id === id)) return;
    const value = { taken: entry.value.taken.filter((place) => place.id !== id) };
    const terms = { expiresAt: never, now: now(), if: entry.version };
    if (await store.put(placesKind, list, value, terms) !== undefined) return;
  }
}
