/** Lists the sources of clients: the configuration, and those that features add. */

import type { ClientSource, Slots } from "../feature.ts";
import type { Services } from "../services.ts";
import { configuredClients } from "./configured_clients.ts";

/** Returns the sources to search, in order. An id that one source owns may be in the configuration as well. */
export function listSources(id: string, { slots }: Pick<Services, "slots">): readonly ClientSource[] {
  for (const source of slots.clientSources.values()) {
    if (source.owns?.(id)) return [configuredClients, source];
  }
  return [...slots.clientSources.values()].filter(({ owns }) => owns === undefined);
}

/** Whether an unknown client id may become a client when a person approves its request. */
export function acceptsUnknownClients({ clientSources }: Pick<Slots, "clientSources">): boolean {
  return [...clientSources.values()].some(({ findCandidate }) => findCandidate !== undefined);
}
