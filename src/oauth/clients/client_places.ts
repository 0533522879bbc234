/** Limits the number of clients that a source keeps. A new client replaces an old one that has no live grant. */

import { ended, type Kind, never } from "../../store/store.ts";
import { markMargin } from "../clock_skew.ts";
import { createRetryLimit } from "../retry_limit.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { loadClient, storedClients } from "./stored_client.ts";

/** The maximum number of clients that one source keeps. */
export const mostKeptClients = 200;

/** The ids of a source's clients, oldest first. One record holds them all, because a store cannot count records. */
interface Places {
  readonly taken: readonly Place[];
}

interface Place {
  readonly id: string;
  readonly takenAt: number;
}

const placesKind: Kind<Places> = { name: "client_places" };

/** Reserves a place for the client. Returns `false` if every place is taken by a client that may have a live grant. */
export async function takePlace({ id, source }: Client, services: Services): Promise<boolean> {
  const { store, now } = services;
  const beginAttempt = createRetryLimit();
  while (true) {
    beginAttempt();
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

/** The place of a client that exists for a fixed time. */
export interface FixedPlace {
  readonly id: string;
  readonly source: string;
  /** In seconds. The same for all clients of the source. */
  readonly lifetime: number;
}

/**
 * Reserves a place for a client that exists for a fixed time. If every place is taken, returns the seconds until the
 * first of these clients ends.
 */
export async function reservePlace(
  { id, source, lifetime }: FixedPlace,
  services: Services,
): Promise<number | undefined> {
  const { store, now } = services;
  const beginAttempt = createRetryLimit();
  while (true) {
    beginAttempt();
    const entry = await store.get(placesKind, source, now());
    const taken = entry?.value.taken.filter(({ takenAt }) => takenAt + lifetime > now()) ?? [];
    const remaining = taken.length < mostKeptClients ? taken : await dropUnused(taken, source, services);
    if (remaining === undefined) return Math.ceil(taken[0]!.takenAt + lifetime - now());
    const value = { taken: [...remaining, { id, takenAt: Math.floor(now()) }] };
    const terms = { expiresAt: never, now: now(), if: entry?.version ?? null };
    if (await store.put(placesKind, source, value, terms) !== undefined) return undefined;
  }
}

// In seconds. By then, the request that has taken a place has written its client.
const longestWrite = 60;
/** The number of places that one request looks at. In the next second, a request looks at the next ones. */
const placesToCheck = 10;

/**
 * Looks for a place that has no client, because the store failed before it wrote the client or after it deleted the client.
 * Returns the other places, or `undefined` if each place that it looks at in this second has a client.
 */
async function dropUnused(
  taken: readonly Place[],
  source: string,
  services: Services,
): Promise<readonly Place[] | undefined> {
  const { now } = services;
  const start = Math.floor(now()) * placesToCheck % taken.length;
  for (const place of [...taken.slice(start), ...taken.slice(0, start)].slice(0, placesToCheck)) {
    if (place.takenAt + longestWrite + markMargin > now()) continue;
    if (await loadClient(place.id, source, services) !== undefined) continue;
    return taken.filter((each) => each !== place);
  }
  return undefined;
}

/** Frees the place of a deleted client. */
export async function freePlace(
  { id, source }: Pick<FixedPlace, "id" | "source">,
  { store, now }: Services,
): Promise<void> {
  const beginAttempt = createRetryLimit();
  while (true) {
    beginAttempt();
    const entry = await store.get(placesKind, source, now());
    if (entry === undefined || !entry.value.taken.some((place) => place.id === id)) return;
    const value = { taken: entry.value.taken.filter((place) => place.id !== id) };
    const terms = { expiresAt: never, now: now(), if: entry.version };
    if (await store.put(placesKind, source, value, terms) !== undefined) return;
  }
}
