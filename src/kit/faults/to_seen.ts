/** Makes a request of the journal one that a verdict can look at. */

import { isFormType } from "../../server/http/body.ts";
import { findHeader, type JournalEntry } from "../../server/oauth/journal.ts";
import type { Seen } from "./seen.ts";

export function toSeen(entry: JournalEntry, endpoint: string): Seen {
  return { endpoint, entry, params: readParams(entry) };
}

function readParams({ request }: JournalEntry): URLSearchParams {
  const { query, body = "" } = request;
  return new URLSearchParams(isFormType(findHeader(request, "content-type")) ? `${query}&${body}` : query);
}
