/** Finds what the client sent in its authorization request, as far as the journal has it. */

import { readSent, type Sent } from "../../faults/sent_request.ts";
import { findParameter, readExchangeParts } from "./exchange_parts.ts";
import type { Past } from "./journal_index.ts";
import { findAuthorization, isAuthorization } from "./relate.ts";
import type { KeptEntry } from "./request_list.ts";

/** Returns `undefined` if the journal does not have the authorization request, for example because it was reset. */
export function findSent(kept: KeptEntry, past: Past): Sent | undefined {
  const opened = findAuthorization(kept, past) ?? (isAuthorization(kept) ? kept : undefined);
  if (opened === undefined) return undefined;
  const parts = readExchangeParts(opened.entry);
  return readSent((name) => findParameter(parts, name));
}

/** Returns a function that names the explanation of a `state` in the response. */
export function explainState(kept: KeptEntry, past: Past): (state: string) => string {
  if (kept.endpoint === "logout") return compareState(findParameter(readExchangeParts(kept.entry), "state"));
  const sent = findSent(kept, past);
  return sent === undefined ? () => "state_uncompared" : compareState(sent("state"), "state_unasked");
}

/** `absent` is the explanation if the request has no state, as that of a form which carries it sealed. */
function compareState(sent: string | undefined, absent = "state_uncompared"): (state: string) => string {
  if (sent === undefined) return () => absent;
  return (state) => state === sent ? "state_returned" : "state_changed";
}
