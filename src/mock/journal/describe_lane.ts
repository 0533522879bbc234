/** Describes a lane with its exchanges, for pages and files. */

import { type Outcome, outcomeOf } from "../../oauth/journal.ts";
import type { Lane } from "../../pages/inspector/exchange_props.ts";
import { describeLine, type ExchangeTerms } from "./describe_exchange.ts";
import { flowOf } from "./exchange_parts.ts";
import type { LaneEntries } from "./lanes.ts";
import { present } from "../../present.ts";

/** Describes a lane with at most `most` exchanges, the latest ones. */
export function describeLane({ key, entries }: LaneEntries, most: number, terms: ExchangeTerms): Lane {
  const shown = most === 0 ? [] : entries.slice(-most);
  const hidden = entries.length - shown.length;
  const flow = flowOf(entries[0]!);
  const client = entries.find(({ entry }) => entry.facts.clientId !== undefined)?.entry.facts.clientId;
  const person = entries.findLast(({ entry }) => entry.facts.subject !== undefined)?.entry.facts.subject;
  const count = (outcome: Outcome) => entries.filter(({ entry }) => outcomeOf(entry) === outcome).length;
  return {
    key,
    ...present({ flow, client, person }),
    startedAt: entries[0]!.entry.receivedAt,
    refusals: count("refused"),
    failures: count("failed"),
    exchanges: shown.map((kept, at) => describeLine(kept, entries[hidden + at - 1], terms)),
    older: hidden,
  };
}
