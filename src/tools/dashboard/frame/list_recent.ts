/** Lists requests beside the inspector: on the front page and among what a search found. */

import { describeLine } from "../../../kit/mock/journal/describe_exchange.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import type { RequestRow } from "../parts/list_props.ts";
import type { RecentRequests } from "./frame_props.ts";
import { filterHref } from "../addresses.ts";
import { foldRequests } from "../inspector/fold_requests.ts";
import { exchangeOptionsOf } from "../inspector/selection.ts";
import { writeWord } from "../inspector/list_options.ts";
import type { PageCall } from "../page.ts";
import { outcomeOf } from "../../../kit/mock/journal/outcome_of.ts";
import { present } from "../../../ground/values/present.ts";

const mostRecent = 10;
// Entries. Equal ones may fill the journal, and a person may have no token.
const mostRead = 1_000;

type RecentOptions = Pick<PageCall, "watched" | "pathOf" | "neverShown">;

/** Describes requests as a visitor without the key sees them. */
export function describeRequests(requests: readonly KeptEntry[], options: RecentOptions): RecentRequests {
  const exchange = exchangeOptionsOf(options);
  return describeRows(requests.map((each) => ({ line: describeLine(each, undefined, exchange) })), options);
}

/** Returns the latest requests of clients and sign-ins, newest first. Equal ones in a row are folded. */
export function listRecent(options: RecentOptions): RecentRequests {
  const rows: RequestRow[] = [];
  for (const row of foldRequests(withoutPages(options), exchangeOptionsOf(options))) {
    rows.push(row);
    if (rows.length >= mostRecent) break;
  }
  const count = options.watched.index.values("outcome").get("refused");
  const href = filterHref("outcome:refused", options);
  return {
    ...describeRows(rows, options),
    ...present({ refused: count === undefined ? undefined : { count, href } }),
  };
}

/** Pages of this server that were shown or sent without a fault say nothing about a client. */
function* withoutPages({ watched: { index } }: RecentOptions): Iterable<KeptEntry> {
  let read = 0;
  for (const kept of index.latest()) {
    if (++read > mostRead) return;
    if (kept.endpoint !== "page" || outcomeOf(kept.entry) !== "ok") yield kept;
  }
}

/** Returns the addresses of the latest token responses for people, by username. */
export function listNewestTokens(
  { watched: { index }, pathOf }: Omit<RecentOptions, "neverShown">,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let read = 0;
  for (const { endpoint, entry: { id, facts: { subject, refusal } } } of index.latest()) {
    if (++read > mostRead) break;
    if (endpoint !== "token" || subject === undefined || refusal !== undefined || found.has(subject)) {
      continue;
    }
    found.set(subject, `${pathOf("inspector")}/${id}`);
  }
  return found;
}

function describeRows(items: readonly RequestRow[], options: RecentOptions): RecentRequests {
  return {
    items,
    path: options.pathOf("inspector"),
    now: options.watched.services.now(),
    linkTo: (name, value) => filterHref(writeWord(name, value), options),
  };
}
