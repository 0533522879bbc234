/** Writes the journal as one HTML file, which loads nothing and needs no script. */

import type { ShownExchange } from "../../timeline/exchange_props.ts";
import { type FileGroup, timelineFile } from "../../timeline/timeline_file.tsx";
import { describeExchange, type ExchangeOptions } from "./describe_exchange.ts";
import { describeSequence, findFaults } from "./describe_sequence.ts";
import { flowOf } from "./exchange_parts.ts";
import { mostColumns } from "../../timeline/diagram.tsx";
import { describeGroup, groupByFlow, type GroupEntries, isWorthShowing } from "./groups.ts";
import { indexEntries } from "./journal_index.ts";
import type { KeptEntry } from "./request_list.ts";

interface HtmlTimelineOptions extends Pick<ExchangeOptions, "issuer" | "secrets" | "neverShown"> {
  readonly dropped?: number;
}

/** The largest number of exchanges in a file. Each takes about ten kilobytes, and a file must open quickly. */
export const mostInHtmlFile = 500;

/** The entries are in the order of their responses. */
export function formatHtmlTimeline(
  all: readonly KeptEntry[],
  { dropped = 0, ...options }: HtmlTimelineOptions,
): string {
  const shown = all.filter(isWorthShowing);
  const latest = shown.slice(-mostInHtmlFile);
  // The file links only to exchanges that it has.
  const journal = indexEntries(latest);
  const groups = joinAlone(groupByFlow(latest).toSorted((left, right) => startOf(left) - startOf(right)));
  return timelineFile({
    issuer: options.issuer,
    groups: describeGroups(groups, { ...options, journal }),
    ...describeGroup({ entries: latest }),
    dropped: dropped + shown.length - latest.length,
    showsSecrets: options.secrets,
  });
}

/** Joins neighbours that belong to no flow, because a section for each would be long. */
function joinAlone(groups: readonly GroupEntries[]): readonly GroupEntries[] {
  const joined: { readonly key: string; readonly entries: KeptEntry[] }[] = [];
  for (const { key, entries } of groups) {
    const before = joined.at(-1);
    const isAlone = flowOf(entries[0]!) === undefined;
    if (isAlone && before !== undefined && flowOf(before.entries[0]!) === undefined) {
      before.entries.push(...entries);
    } else {
      joined.push({ key, entries: [...entries] });
    }
  }
  return joined;
}

function* describeGroups(groups: readonly GroupEntries[], options: ExchangeOptions): Iterable<FileGroup> {
  for (const group of groups) {
    const exchanges = group.entries.map((kept, at) => describeInGroup(kept, group.entries[at - 1], options));
    const requests = group.entries.map((kept) => kept.read());
    yield {
      ...describeGroup(group),
      startedAt: startOf(group),
      exchanges,
      sequence: describeSequence(requests, { ...mostColumns, faultOf: findFaults(exchanges) }),
    };
  }
}

function startOf({ entries }: GroupEntries): number {
  return entries[0]!.entry.receivedAt;
}

/** The time since the exchange before is that of the group, which may hold exchanges without a flow. */
function describeInGroup(
  kept: KeptEntry,
  before: KeptEntry | undefined,
  options: ExchangeOptions,
): ShownExchange {
  const { since: _since, ...shown } = describeExchange(kept, options);
  return before === undefined ? shown : { ...shown, since: kept.entry.receivedAt - before.entry.receivedAt };
}
