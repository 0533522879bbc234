/** Fills the seats of the clients that a server keeps, without a login for each. */

import type { Store } from "../../../src/mod.ts";
import { type Seat, seatsKind } from "../../../src/server/oauth/clients/records/client_seats.ts";
import { never } from "../../../src/server/store/store.ts";

/** The seats in a list, oldest first. */
export async function seatsIn(store: Store, list: string): Promise<readonly Seat[]> {
  return (await store.get(seatsKind, list, 0))?.value.taken ?? [];
}

/** Takes more seats, as for clients that a server is about to store. They make room when they are old enough. */
export async function takeSeats(store: Store, list: string, count: number, takenAt: number): Promise<void> {
  const others = Array.from({ length: count }, (_, at) => ({ id: `other-${at}`, takenAt }));
  const taken = [...await seatsIn(store, list), ...others];
  await store.put(seatsKind, list, { taken }, { expiresAt: never, now: 0 });
}
