/** Folds the requests of a journal into the rows of a list, as many as a page holds. */

import type { ExchangeTerms } from "../../mock/journal/describe_exchange.ts";
import { describeLine } from "../../mock/journal/describe_exchange.ts";
import { flowOf } from "../../mock/journal/exchange_parts.ts";
import type { LaneEntries } from "../../mock/journal/lanes.ts";
import type { KeptEntry } from "../../mock/journal/request_list.ts";
import { type Outcome, outcomeOf } from "../../oauth/journal.ts";
import type { ExchangeLine } from "../../pages/inspector/exchange_props.ts";
import { type Band, isBand, type ListItem, type RequestRow } from "../../pages/inspector/list_props.ts";
import { describeReason } from "../../pages/inspector/request_table.tsx";
import { present } from "../../present.ts";
import { measure } from "./fit_exchange.ts";
import type { ListTerms } from "./list_terms.ts";

export interface FitTerms extends Pick<ListTerms, "open" | "order"> {
  /** How many rows the page holds, also in folded bands. */
  readonly most: number;
  readonly exchange: ExchangeTerms;
}

export interface FittedList {
  readonly items: readonly ListItem[];
  /** The request after which the next page begins. */
  readonly next?: string;
}

// Characters of HTML for each row. With the frame, the sheets and the script, a page of 50 rows has less than 60,000 octets.
const mostPerRow = 350;
/** The markup of a row, beside its texts. */
const perRow = 260;
/** The markup of the line of a login, and of the links at its end. */
const perBand = 600;
// A login with more requests has a page of its own.
const mostInBand = 30;

/** Describes lanes until the page is full. */
export function fitList(lanes: Iterable<LaneEntries>, terms: FitTerms): FittedList {
  const items: ListItem[] = [];
  let [rows, characters] = [terms.most, terms.most * mostPerRow];
  let last: KeptEntry | undefined;
  for (const run of foldRuns(lanes, terms)) {
    const item = run.isBand ? describeBand(run, terms) : describeRun(run, terms);
    const cost = costOf(item);
    if (items.length > 0 && (cost.rows > rows || cost.characters > characters)) {
      return { items, ...present({ next: last?.entry.id }) };
    }
    rows -= cost.rows;
    characters -= cost.characters;
    items.push(item);
    last = run.entries.at(-1);
  }
  return { items };
}

/** Requests that the list shows as one row, in its order, or a login. */
interface Run {
  readonly entries: readonly KeptEntry[];
  readonly isBand?: true;
  /** The unfolded requests that begin with this one. */
  readonly unfolded?: readonly KeptEntry[];
}

/** Joins consecutive equal requests that belong to no login, unless they are unfolded. */
function* foldRuns(lanes: Iterable<LaneEntries>, terms: FitTerms): Iterable<Run> {
  let equal: KeptEntry[] = [];
  for (const { entries } of lanes) {
    const [first] = entries;
    const isAlone = entries.length === 1 && flowOf(first!) === undefined;
    if (isAlone && equal.length > 0 && areEqual(equal[0]!, first!)) {
      equal.push(first!);
      continue;
    }
    yield* closeRun(equal, terms);
    equal = isAlone ? [first!] : [];
    if (!isAlone) yield { entries, ...(entries.length > 1 ? { isBand: true } : {}) };
  }
  yield* closeRun(equal, terms);
}

/** Returns the rows for equal requests: one, or one for each if they are unfolded. */
function closeRun(entries: readonly KeptEntry[], terms: FitTerms): readonly Run[] {
  if (entries.length < 2) return entries.length === 0 ? [] : [{ entries }];
  const { open } = terms;
  if (open === "all" || !open.includes(keyOf(entries, terms))) return [{ entries }];
  return entries.map((each, at) => ({ entries: [each], ...(at === 0 ? { unfolded: entries } : {}) }));
}

/** The id of the oldest one, which stays while further equal requests arrive. */
function keyOf(entries: readonly KeptEntry[], { order }: Pick<FitTerms, "order">): string {
  return (order === "newest" ? entries.at(-1)! : entries[0]!).entry.id;
}

/** Whether two requests differ in their times only. A refused one is worth a row of its own. */
function areEqual(left: KeptEntry, right: KeptEntry): boolean {
  const [one, other] = [left.entry, right.entry];
  return outcomeOf(one) === "ok" && outcomeOf(other) === "ok" &&
    one.facts.clientId === other.facts.clientId && one.request.method === other.request.method &&
    one.request.path === other.request.path && one.response.status === other.response.status;
}

function describeRun(
  { entries, unfolded }: Run,
  terms: FitTerms,
  before: KeptEntry | undefined = undefined,
): RequestRow {
  const line = describeLine(entries[0]!, before, terms.exchange);
  const equal = unfolded ?? entries;
  if (equal.length === 1) return { line };
  return {
    line,
    fold: { key: keyOf(equal, terms), times: equal.length, isOpen: unfolded !== undefined },
  };
}

function describeBand({ entries }: Run, terms: FitTerms): Band {
  const { open, exchange } = terms;
  const flow = flowOf(entries[0]!)!;
  const runs = foldBand(entries, { ...terms, order: "oldest" });
  const shown = runs.slice(-mostInBand);
  const hidden = runs.slice(0, -mostInBand).reduce((sum, run) => sum + run.entries.length, 0);
  const count = (outcome: Outcome) => entries.filter(({ entry }) => outcomeOf(entry) === outcome).length;
  const trouble = entries.findLast(({ entry }) => outcomeOf(entry) !== "ok");
  const startedAt = entries[0]!.entry.receivedAt;
  return {
    flow,
    ...present({
      client: entries.find(({ entry }) => entry.facts.clientId !== undefined)?.entry.facts.clientId,
      person: entries.findLast(({ entry }) => entry.facts.subject !== undefined)?.entry.facts.subject,
      trouble: trouble && describeLine(trouble, undefined, exchange),
    }),
    latestAt: entries.at(-1)!.entry.receivedAt,
    duration: Math.max(...entries.map(({ entry }) => entry.receivedAt + entry.duration)) - startedAt,
    count: entries.length,
    refused: count("refused"),
    failed: count("failed"),
    rows: shown.map((run) =>
      describeRun(run, { ...terms, order: "oldest" }, entries[entries.indexOf(run.entries[0]!) - 1])
    ),
    hidden,
    isOpen: open === "all" || open.includes(flow),
  };
}

/** Joins consecutive equal requests of a login. */
function foldBand(entries: readonly KeptEntry[], terms: FitTerms): readonly Run[] {
  const runs: Run[] = [];
  let equal: KeptEntry[] = [];
  for (const kept of entries) {
    if (equal.length > 0 && areEqual(equal[0]!, kept)) {
      equal.push(kept);
      continue;
    }
    runs.push(...closeRun(equal, terms));
    equal = [kept];
  }
  return [...runs, ...closeRun(equal, terms)];
}

function costOf(item: ListItem): { readonly rows: number; readonly characters: number } {
  if (!isBand(item)) return { rows: 1, characters: costOfLine(item.line) };
  const { rows, client = "", person = "", trouble } = item;
  const lines = rows.reduce((sum, { line }) => sum + costOfLine(line), 0);
  const texts = measure([
    client,
    client,
    person,
    person,
    trouble === undefined ? "" : describeReason(trouble),
  ]);
  return { rows: 1 + rows.length, characters: perBand + lines + texts };
}

function costOfLine(line: ExchangeLine): number {
  const { sender: { client }, person, target } = line;
  return perRow + measure([client ?? "", person ?? "", target, describeReason(line)]);
}
