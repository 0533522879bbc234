/** Fills the places of the clients that a server keeps, without a login for each. */

import type { Store } from "../../../src/mod.ts";
import { type Place, placesKind } from "../../../src/server/oauth/clients/stored_client.ts";
import { never } from "../../../src/server/store/store.ts";

/** The places in a list, oldest first. */
export async function placesIn(store: Store, list: string): Promise<readonly Place[]> {
  return (await store.get(placesKind, list, 0))?.value.taken ?? [];
}

/** Takes more places, as for clients that a server is about to store. They make room when they are old enough. */
export async function takePlaces(store: Store, list: string, count: number, takenAt: number): Promise<void> {
  const others = Array.from({ length: count }, (_, at) => ({ id: `other-${at}`, takenAt }));
  const taken = [...await placesIn(store, list), ...others];
  await store.put(placesKind, list, { taken }, { expiresAt: never, now: 0 });
}
