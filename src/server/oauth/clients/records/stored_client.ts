/** Clients in the store. */

import type { Entry, Kind } from "../../../store/store.ts";
import type { Services } from "../../contracts/feature.ts";
import type { Client } from "../../contracts/client.ts";

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
