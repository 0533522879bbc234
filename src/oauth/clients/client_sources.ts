/** The sources to search for a client: the configuration, and those that features add. */

import type { ClientSource, Slots } from "../feature.ts";
import type { Services } from "../services.ts";

/** Returns the sources to search, in order. */
export function listSources(id: string, { slots }: Pick<Services, "slots">): readonly ClientSource[] {
  return slots.clientSearches.find(({ owns }) => owns?.(id) ?? true)!.sources;
}

/** Whether an unknown client id may become a client when a person approves its request. */
export function acceptsUnknownClients({ clientSources }: Pick<Slots, "clientSources">): boolean {
  return [...clientSources.values()].some(({ findCandidate }) => findCandidate !== undefined);
}
