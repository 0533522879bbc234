/** Names the outcome of an exchange, in the same way for every view. */

import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import type { RequestOutcome } from "../../timeline/request_outcome.ts";

/** A client that polls as it should is not refused, although the answer is an error (RFC 8628 §3.5). */
export function outcomeOf(
  { response: { status }, facts }: Pick<JournalEntry, "response" | "facts">,
): RequestOutcome {
  if (status >= 500) return "failed";
  if (facts.refusal?.error === "authorization_pending") return "ok";
  return facts.refusal !== undefined || status >= 400 ? "refused" : "ok";
}
