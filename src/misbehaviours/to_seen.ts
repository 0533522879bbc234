/** Makes a request of the journal one that a verdict can look at. */

import type { JournalEntry } from "../oauth/journal.ts";
import type { Seen } from "./seen.ts";

export function toSeen(entry: JournalEntry, endpoint: string): Seen {
  return { endpoint, entry, params: readParams(entry) };
}

function readParams({ request: { query, headers, body = "" } }: JournalEntry): URLSearchParams {
  const type = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const isForm = type.startsWith("application/x-www-form-urlencoded");
  return new URLSearchParams(isForm ? `${query}&${body}` : query);
}
