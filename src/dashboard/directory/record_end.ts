/** Records what a person ended on a page of the dashboard, so that the inspector explains the refusals that follow. */

import { withUserName } from "../../mock/journal/with_user_name.ts";
import { endedByHand } from "../../mock/journal/relate.ts";
import { createExchange, type Exchange } from "../../oauth/exchange.ts";
import type { PageCall } from "../page.ts";

export function startEnd({ request, watched: { services } }: PageCall): Exchange {
  const { now, random } = services;
  return createExchange(request, { receivedAt: now(), random, hasJournal: true });
}

/** The entry has nothing of the form, which may have secrets. `description` is the sentence of the inspector. */
export function recordEnd(
  { id, receivedAt, facts }: Exchange,
  description: string,
  { request: { method, address: { path } }, watched: { journal, services } }: PageCall,
): void {
  const entry = {
    id,
    receivedAt,
    duration: services.now() - receivedAt,
    request: { method, path, query: "", headers: [] },
    response: { status: 303, headers: [] },
    facts: { ...facts, advice: { reason: endedByHand, description } },
  };
  journal.write(withUserName(entry, services), { endpoint: "page", isLost: false });
}
