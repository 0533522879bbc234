/** Writes the journal as one HTML file, which loads nothing and needs no script. */

import type { ShownExchange } from "../../pages/inspector/exchange_props.ts";
import { timelineFile } from "../../pages/inspector/timeline_file.tsx";
import type { Words } from "../../pages/words/english.ts";
import { describeExchange, type ExchangeTerms } from "./describe_exchange.ts";
import { describeLane, groupLanes, isWorthShowing, type LaneEntries } from "./lanes.ts";
import type { KeptEntry } from "./request_list.ts";

export interface HtmlTimelineTerms extends Pick<ExchangeTerms, "issuer" | "secrets" | "neverShown"> {
  /** How many earlier requests the journal has removed. */
  readonly dropped?: number;
  /** The words of the file's language. English if absent. */
  readonly words?: Words;
}

// Each exchange takes about ten kilobytes, and a file must open quickly.
const mostExchanges = 500;

/** Writes the latest exchanges, at most 500. The entries are in the order of their responses. */
export function formatHtmlTimeline(
  all: readonly KeptEntry[],
  { dropped = 0, words, ...terms }: HtmlTimelineTerms,
): string {
  const shown = all.filter(isWorthShowing);
  const latest = shown.slice(-mostExchanges);
  // A search for what explains an exchange reads the requests before it.
  const known = all.slice(-3 * mostExchanges);
  const lanes = groupLanes(latest).toSorted((left, right) => startOf(left) - startOf(right));
  return timelineFile({
    issuer: terms.issuer,
    lanes: lanes.map((lane) => ({
      ...describeLane(lane, 0, { ...terms, all: known }),
      exchanges: lane.entries.map((kept, at) =>
        describeInLane(kept, lane.entries[at - 1], { ...terms, all: known })
      ),
      older: 0,
    })),
    dropped: dropped + shown.length - latest.length,
    showsSecrets: terms.secrets,
  }, words);
}

function startOf({ entries }: LaneEntries): number {
  return entries[0]!.entry.receivedAt;
}

/** The time since the exchange before is that of the lane, which may hold exchanges without a flow. */
function describeInLane(kept: KeptEntry, before: KeptEntry | undefined, terms: ExchangeTerms): ShownExchange {
  const { since: _since, ...shown } = describeExchange(kept, terms);
  return before === undefined ? shown : { ...shown, since: kept.entry.receivedAt - before.entry.receivedAt };
}
