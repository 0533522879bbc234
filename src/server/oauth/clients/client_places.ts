/** Limits the number of clients that a source keeps. A new client replaces an old one that has no live grant. */

import { ended, type Kind, never } from "../../store/store.ts";
import { markMargin } from "../clock_skew.ts";
import { nextAttempt } from "../../store/retry_limit.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { loadClient, storedClients } from "./stored_client.ts";

/** The maximum number of clients that one source keeps. */
export const mostKeptClients = 200;

/** The ids of the clients in a list, oldest first. One record holds them all, because a store cannot count records. */
interface Places {
  readonly taken: readonly Place[];
}

export interface Place {
  readonly id: string;
  readonly takenAt: number;
}

export const placesKind: Kind<Places> = { name: "client_places" };

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
