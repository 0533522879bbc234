/** Folds requests that follow each other into one row: equal ones, and those for keys and metadata. */

import { describeLine, type ExchangeOptions } from "../../../kit/mock/journal/describe_exchange.ts";
import { flowOf } from "../../../kit/mock/journal/exchange_parts.ts";
import type { GroupEntries } from "../../../kit/mock/journal/groups.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import { type LookupCounts, lookupEndpoints, type RequestRow } from "../parts/list_props.ts";
import { describeRow } from "../parts/row_texts.ts";
import type { ListOptions } from "./list_options.ts";
import { outcomeOf } from "../../../kit/mock/journal/outcome_of.ts";
import { present } from "../../../ground/values/present.ts";

export interface FoldOptions extends Pick<ListOptions, "open" | "order"> {
  readonly exchange: ExchangeOptions;
  /** Returns what arrived before a request, the latest first. Absent: the list begins with the first request. */
  readonly before?: (kept: KeptEntry) => Iterable<GroupEntries>;
}

/** Describes requests as rows of their own. Equal ones that follow each other are one row. */
export function* foldRequests(
  requests: Iterable<KeptEntry>,
  exchange: ExchangeOptions,
): Iterable<RequestRow> {
  const options: FoldOptions = { open: [], order: "newest", exchange };
  for (const run of foldRuns(standAlone(requests), options)) yield describeRun(run, options);
}

/** Lists requests as if none were of a login. */
export function* standAlone(requests: Iterable<KeptEntry>): Iterable<GroupEntries> {
  for (const kept of requests) yield { key: kept.entry.id, entries: [kept] };
}

/** Requests that the list shows as one row, in its order, or a login. */
export interface Run {
  readonly entries: readonly KeptEntry[];
  readonly isGroup?: true;
  /** The unfolded requests that begin with this one. */
  readonly unfolded?: readonly KeptEntry[];
}

/** Joins consecutive equal requests, unless they are unfolded. In a list of logins, those of a login stay by themselves. */
export function* foldRuns(
  groups: Iterable<GroupEntries>,
  options: FoldOptions,
  mayJoin: (kept: KeptEntry) => boolean = (kept) => flowOf(kept) === undefined,
): Iterable<Run> {
  let equal: KeptEntry[] = [];
  let said: string | undefined;
  for (const { entries } of groups) {
    const [first] = entries;
    const isAlone = entries.length === 1 && mayJoin(first!);
    const saysNow = isAlone ? writeRow(first!, options) : undefined;
    if (saysNow !== undefined && saysNow === said) {
      equal.push(first!);
      continue;
    }
    yield* closeRun(equal, options);
    said = saysNow;
    equal = isAlone ? [first!] : [];
    if (!isAlone) yield { entries, ...present({ isGroup: entries.length > 1 || undefined }) };
  }
  yield* closeRun(equal, options);
}

export function foldGroup(entries: readonly KeptEntry[], options: FoldOptions): readonly Run[] {
  return [...foldRuns(standAlone(entries), options, () => true)];
}

/** Returns the rows for equal requests: one, or one for each if they are unfolded. */
function closeRun(entries: readonly KeptEntry[], options: FoldOptions): readonly Run[] {
  if (entries.length < 2) return entries.length === 0 ? [] : [{ entries }];
  const { open } = options;
  if (open === "all" || !open.includes(keyOf(entries, options))) return [{ entries }];
  return entries.map((each, at) => ({
    entries: [each],
    ...present({ unfolded: at === 0 ? entries : undefined }),
  }));
}

/** The id of the oldest one, which stays while further equal requests arrive. It may be on an earlier page. */
function keyOf(equal: readonly KeptEntry[], options: FoldOptions): string {
  const { order, before } = options;
  if (order === "newest") return equal.at(-1)!.entry.id;
  let oldest = equal[0]!;
  const said = writeRow(oldest, options);
  for (const { entries: [kept] } of before?.(oldest) ?? []) {
    if (flowOf(kept!) !== undefined || writeRow(kept!, options) !== said) break;
    oldest = kept!;
  }
  return oldest.entry.id;
}

/** What the row of a request says beside its times. A refused one has no equal, because it is worth a row of its own. */
function writeRow(kept: KeptEntry, { exchange }: FoldOptions): string | undefined {
  if (outcomeOf(kept.entry) !== "ok") return undefined;
  const row = describeRow(describeLine(kept, undefined, exchange));
  return isLookup(kept) && row.reason === "" ? lookup : Object.values(row).join("\n");
}

const lookup = "lookup";

function isLookup({ endpoint }: KeptEntry): boolean {
  return lookupEndpoints.some((each) => each === endpoint);
}

function countLookups(entries: readonly KeptEntry[]): LookupCounts {
  const count = (name: string) => entries.filter(({ endpoint }) => endpoint === name).length;
  return { jwks: count("jwks"), metadata: count("metadata") };
}

// With the ids of more requests in each row, a page would be heavy.
const mostOthers = 30;

export function describeRun(
  { entries, unfolded }: Run,
  options: FoldOptions,
  before?: KeptEntry,
): RequestRow {
  const line = describeLine(entries[0]!, before, options.exchange);
  const equal = unfolded ?? entries;
  if (equal.length === 1) return { line };
  return {
    line,
    fold: {
      key: keyOf(equal, options),
      times: equal.length,
      isOpen: unfolded !== undefined,
      others: entries.slice(1, mostOthers).map(({ entry }) => entry.id),
      ...present({
        lookups: unfolded === undefined && writeRow(equal[0]!, options) === lookup
          ? countLookups(equal)
          : undefined,
      }),
    },
  };
}
