/** Selects requests of the journal by the filter in the query, and says how a page describes them. */

import { ControlRefused } from "../../guard/control_refused.ts";
import { type Filter, parseFilter } from "../../../kit/mock/journal/filter.ts";
import type { Groups } from "../../../kit/mock/journal/groups.ts";
import type { KeptEntry, NameRequest } from "../../../kit/mock/journal/request_list.ts";
import { englishTimeline } from "../../../kit/timeline/timeline_english.ts";
import type { PageCall } from "../page.ts";
import { readListOptions } from "./list_options.ts";
import type { ExchangeOptions } from "../../../kit/mock/journal/describe_exchange.ts";
import type { SearchOptions } from "../../../kit/mock/journal/search.ts";

export function exchangeOptionsOf(
  { watched, neverShown }: Pick<PageCall, "watched" | "neverShown">,
): ExchangeOptions {
  const { index, services: { settings: { issuer } } } = watched;
  return { journal: index, issuer, secrets: false, neverShown };
}

export interface Selection {
  readonly line: string;
  readonly filter: Filter;
  readonly groups: Groups;
}

const { endpoint: nameEndpoint, headlines } = englishTimeline;

const nameOf: NameRequest = ({ endpoint, entry: { request, facts: { grantType, refusal } } }) =>
  [nameEndpoint({ endpoint, grantType, target: request.path }), headlines.get(refusal?.reason ?? "")].join(
    "\n",
  );

/** Returns what the filter in the query selects, or as much of it as suffices. */
export function select(call: PageCall, options: SearchOptions = {}): Promise<Selection> {
  return selectLine(readListOptions(call.query).line, call, options);
}

export async function selectLine(
  line: string,
  { request, watched: { index } }: PageCall,
  options: SearchOptions,
): Promise<Selection> {
  const filter = parseFilter(line, nameOf);
  const hasLeft = () => request.hasLeft?.() === true;
  return { line, filter, groups: await index.select(line, filter, { ...options, hasLeft }) };
}

/** Throws a `ControlRefused` if the filter has too many words. Only the list shows that beside the filter. */
export function requireSearched({ filter: { problems } }: Selection): void {
  const tooMany = problems.find((problem) => problem.kind === "too_many");
  if (tooMany === undefined) return;
  throw new ControlRefused("invalid_request", `The filter has ${tooMany.words} different words`, {
    place: "q",
    expected: `at most ${tooMany.most} different words`,
  });
}

/** Returns the latest selected requests, at most `most`, in the order of their responses. */
export function takeLatest(
  { groups }: Selection,
  most: number,
  { watched: { index } }: PageCall,
): readonly KeptEntry[] {
  const found: KeptEntry[] = [];
  const wanted = Math.min(most, groups.count);
  for (const kept of index.latest()) {
    if (found.length >= wanted) break;
    if (groups.has(kept)) found.push(kept);
  }
  return found.reverse();
}
