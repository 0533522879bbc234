/** The sources to search for a client: the configuration, and those that features add. */

import type { ClientSearch, ClientSource, Slots } from "../feature.ts";
import type { Services } from "../services.ts";
import { configuredClients } from "./configured_clients.ts";

/** Plans the searches for clients. An id that one source owns may be in the configuration as well. */
export function planClientSearches(sources: Slots["clientSources"]): readonly ClientSearch[] {
  const all = [...sources.values()];
  return [
    ...all.filter(({ owns }) => owns !== undefined).map((source) => ({
      owns: (id: string) => source.owns!(id),
      sources: [configuredClients, source],
    })),
    { sources: all.filter(({ owns }) => owns === undefined) },
  ];
}

/** Returns the sources to search, in order. */
export function listSources(id: string, { slots }: Pick<Services, "slots">): readonly ClientSource[] {
  return slots.clientSearches.find(({ owns }) => owns?.(id) ?? true)!.sources;
}

/** Whether an unknown client id may become a client when a person approves its request. */
export function acceptsUnknownClients({ clientSources }: Pick<Slots, "clientSources">): boolean {
  return [...clientSources.values()].some(({ findCandidate }) => findCandidate !== undefined);
}
