/** The sources to search for a client: the configuration, and those that features add. */

import type { ClientSource, Slots } from "../feature.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";

/** Returns the sources to search, in order. */
export function listSources(id: string, { slots }: Pick<Services, "slots">): readonly ClientSource[] {
  return slots.clientSearches.find(({ owns }) => owns?.(id) ?? true)!.sources;
}

/** Returns the client that an unknown id becomes if a person approves its request on another device. */
export async function findPollingCandidate(
  id: string,
  grantType: string,
  services: Services,
): Promise<Client | undefined> {
  for (const source of listSources(id, services)) {
    const candidate = await source.findPollingCandidate?.(id, grantType, services);
    if (candidate !== undefined) return candidate;
  }
  return undefined;
}

/** Whether an unknown client id may become a client when a person approves its request. */
export function acceptsUnknownClients({ clientSources }: Pick<Slots, "clientSources">): boolean {
  return [...clientSources.values()].some(({ findCandidate }) => findCandidate !== undefined);
}
