/** Seats: a source keeps a limited number of clients, and each of them has a seat in a list. */

import { ended, type Kind, limitAttempts, never } from "../../../store/store.ts";
import { markMargin } from "../../options/clock_skew.ts";
import type { Services } from "../../contracts/feature.ts";
import type { Client } from "../../contracts/client.ts";
import { loadClient, storedClients } from "./stored_client.ts";

/** The maximum number of clients that one source keeps. */
export const mostKeptClients = 200;

export interface Seat {
  readonly id: string;
  readonly takenAt: number;
}

/** The ids of the clients in a list, oldest first. One record holds them all, because a store cannot count records. */
export const seatsKind: Kind<{ readonly taken: readonly Seat[] }> = { name: "client_places" };

/** Reserves a seat for the client. Returns `false` if every seat is taken by a client that may have a live grant. */
export async function takeSeat({ id, source }: Client, services: Services): Promise<boolean> {
  const { store, now } = services;
  for (const retry = limitAttempts();; retry()) {
    const entry = await store.get(seatsKind, source, now());
    const others = entry?.value.taken.filter((seat) => seat.id !== id) ?? [];
    const remaining = others.length < mostKeptClients ? others : await makeRoom(others, source, services);
    if (remaining === undefined) return false;
    const value = { taken: [...remaining, { id, takenAt: Math.floor(now()) }] };
    const terms = { expiresAt: never, now: now(), if: entry?.version ?? null };
    if (await store.put(seatsKind, source, value, terms) !== undefined) return true;
  }
}

/** Ends the oldest client that has no live grant and returns the other seats. `undefined`: each may have one. */
async function makeRoom(
  taken: readonly Seat[],
  source: string,
  services: Services,
): Promise<readonly Seat[] | undefined> {
  const { store, settings: { lifetimes }, now } = services;
  for (const seat of taken) {
    const entry = await loadClient(seat.id, source, services);
    // Another request may have just taken this seat and may be about to write its client.
    if (entry === undefined && seat.takenAt + lifetimes.code + markMargin > now()) continue;
    if (entry !== undefined) {
      // For a server whose clock is behind, the grant of the client is valid longer.
      if ((entry.value.aliveUntil ?? entry.expiresAt) + markMargin > now()) continue;
      // The write fails if a person has approved the client again meanwhile.
      const terms = { expiresAt: ended, now: now(), if: entry.version };
      if (await store.put(storedClients, seat.id, entry.value, terms) === undefined) continue;
    }
    return taken.filter((each) => each !== seat);
  }
  return undefined;
}

/** Frees the seat of a client that has ended, or that has a seat in another list. */
export async function freeSeat(list: string, id: string, { store, now }: Services): Promise<void> {
  for (const retry = limitAttempts();; retry()) {
    const entry = await store.get(seatsKind, list, now());
    if (entry === undefined || !entry.value.taken.some((seat) => seat.id === id)) return;
    const value = { taken: entry.value.taken.filter((seat) => seat.id !== id) };
    const terms = { expiresAt: never, now: now(), if: entry.version };
    if (await store.put(seatsKind, list, value, terms) !== undefined) return;
  }
}
