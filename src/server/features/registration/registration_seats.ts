/** Limits the clients that registered without an initial access token, before and after a person approves them. */

import { ended, limitAttempts, never } from "../../store/store.ts";
import { mostKeptClients, type Seat, seatsKind } from "../../oauth/clients/records/client_seats.ts";
import { storedClients } from "../../oauth/clients/records/stored_client.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { loadRegisteredClient, type RegisteredClient, registrationSource } from "./registered_client.ts";

const mostApproved = 2000;

const refusal = refusals({ error: "temporarily_unavailable", status: 429, spec: "RFC 7591 §5" }, {
  registrations_full: {
    sentence:
      `The server keeps at most ${mostKeptClients} clients that registered without an initial access token and that no person has approved`,
    expected:
      "clients that delete their registration when they no longer need it (RFC 7592 §2.3), or an initial access token",
    change: "Delete registrations that are no longer needed, or send an initial access token.",
  },
  approved_registrations_full: {
    sentence:
      `The server keeps at most ${mostApproved} approved clients that registered without an initial access token`,
    expected:
      "clients that delete their registration when they no longer need it (RFC 7592 §2.3), or a client with an initial access token",
    change: "Delete registrations that are no longer needed, or register with an initial access token.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** In seconds: how long a client without an approval stays registered. */
export const openLifetime = 3600;
/** In seconds, from the registration: how long a client with an approval stays registered. */
export const approvedLifetime: number = 7 * 24 * 3600;

// In seconds. A client has this time for its first approval, even if every seat is taken.
const shortestStay = 600;
/** The seats of the clients that a person has approved. The others are in the list `registrationSource`. */
export const approvedList: string = `${registrationSource}_approved`;

export async function requireOpenSeat(seat: Seat, services: Services): Promise<void> {
  const seats: FixedSeats = {
    list: registrationSource,
    most: mostKeptClients,
    lifetime: openLifetime,
    makeRoom: (oldest) => endUnapproved(oldest, services),
  };
  const secondsToWait = await reserveSeat(seats, seat, services);
  if (secondsToWait === undefined) return;
  throw refusal("registrations_full", {
    headers: { "retry-after": String(secondsToWait) },
    received: `client ${mostKeptClients + 1}`,
    remedy: JSON.stringify({ registration: { initialAccessTokens: ["a-long-secret"], open: true } }, null, 2),
  });
}

/** Ends a client that no person has approved in time. Returns the seconds until that is possible. */
async function endUnapproved({ id, takenAt }: Seat, services: Services): Promise<number> {
  const { store, now } = services;
  const secondsToWait = takenAt + shortestStay - now();
  if (secondsToWait > 0) return secondsToWait;
  for (const retry = limitAttempts();; retry()) {
    const entry = await loadRegisteredClient(id, services);
    // A request has left the seat over, because its call of the store failed.
    if (entry === undefined || !hasOpenSeat(entry.value)) return 0;
    // The write fails if a person has approved the client meanwhile.
    const terms = { expiresAt: ended, now: now(), if: entry.version };
    if (await store.put(storedClients, id, entry.value, terms) !== undefined) return 0;
  }
}

/** Whether the client has a seat among those that no person has approved. */
export function hasOpenSeat({ registration, placeList }: RegisteredClient): boolean {
  return !registration.hadInitialToken && placeList === undefined;
}

/** Reserves a seat among the clients that a person has approved. The client must lose its other seat afterwards. */
export async function requireApprovedSeat(
  { id, registration: { issuedAt } }: RegisteredClient,
  services: Services,
): Promise<{ readonly placeList: string; readonly expiresAt: number }> {
  const seats: FixedSeats = {
    list: approvedList,
    most: mostApproved,
    lifetime: approvedLifetime,
    makeRoom: ({ takenAt }) => Promise.resolve(takenAt + approvedLifetime - services.now()),
  };
  const secondsToWait = await reserveSeat(seats, { id, takenAt: issuedAt }, services);
  if (secondsToWait === undefined) return { placeList: approvedList, expiresAt: issuedAt + approvedLifetime };
  throw refusal("approved_registrations_full", {
    headers: { "retry-after": String(secondsToWait) },
    received: `client ${mostApproved + 1}`,
  });
}

interface FixedSeats {
  readonly list: string;
  readonly most: number;
  /** In seconds. The same for all clients of the list. */
  readonly lifetime: number;
  /** Returns the seconds until this seat, the oldest one, is free. Returns 0 if it is free now. */
  readonly makeRoom: (oldest: Seat) => Promise<number>;
}

/** Reserves a seat for a client that exists for a fixed time. If none is free, returns the seconds until one is. */
async function reserveSeat(
  { list, most, lifetime, makeRoom }: FixedSeats,
  seat: Seat,
  { store, now }: Services,
): Promise<number | undefined> {
  for (const retry = limitAttempts();; retry()) {
    const entry = await store.get(seatsKind, list, now());
    const taken = entry?.value.taken.filter(({ id, takenAt }) =>
      id !== seat.id && takenAt + lifetime > now()
    ) ?? [];
    const secondsToWait = taken.length < most ? 0 : await makeRoom(taken[0]!);
    if (secondsToWait > 0) return Math.ceil(secondsToWait);
    // a person can approve a client after clients that have registered later
    const kept = [...taken.slice(taken.length < most ? 0 : 1), seat];
    const value = { taken: kept.toSorted((one, other) => one.takenAt - other.takenAt) };
    const terms = { expiresAt: never, now: now(), if: entry?.version ?? null };
    if (await store.put(seatsKind, list, value, terms) !== undefined) return undefined;
  }
}
