/** What the parts of the inspector need to know about the journal of a server. */

import type { ExchangeTerms } from "../../mock/journal/describe_exchange.ts";
import { type Filter, parseFilter } from "../../mock/journal/filter.ts";
import { isWorthShowing } from "../../mock/journal/lanes.ts";
import type { KeptEntry } from "../../mock/journal/request_list.ts";
import type { PageCall } from "../page.ts";

export function readExchangeTerms({ watched, neverShown }: PageCall): ExchangeTerms {
  const { services: { settings: { issuer } } } = watched;
  return { all: listKept(watched), issuer, secrets: false, neverShown };
}

/** Returns the requests to the server, and to the APIs of its test kit, in the order of their responses. */
export function listKept({ journal, kit }: PageCall["watched"]): readonly KeptEntry[] {
  return kit?.listKept() ?? journal.kept;
}

export interface Selection {
  /** The filter line. */
  readonly line: string;
  readonly filter: Filter;
  readonly entries: readonly KeptEntry[];
}

// In characters.
const longestLine = 1_000;

/** Returns the entries that the filter in the query selects. */
export function select({ query }: PageCall, all: readonly KeptEntry[]): Selection {
  const line = (query.get("q") ?? "").slice(0, longestLine);
  const filter = parseFilter(line);
  return { line, filter, entries: all.filter(filter.isEmpty ? isWorthShowing : filter.matches) };
}
