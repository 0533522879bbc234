/** The search of the journal with a filter: it compares each request once, the latest first, and goes on when asked. */

import { flowOf } from "./exchange_parts.ts";
import type { Filter } from "./filter.ts";
import { createGroups, type GroupEntries, type GroupListOptions, type Groups } from "./groups.ts";
import type { KeptEntry } from "./request_list.ts";

/** How much a caller wants to know. The default is everything. The oldest order needs everything, too. */
export interface SearchOptions extends GroupListOptions {
  /** The number of exchanges that suffice, from `after` on. */
  readonly wanted?: number;
}

/** What a search reads. Requests have ascending numbers, with gaps. */
export interface SearchedJournal {
  readonly first: number;
  /** The number of the next request. */
  readonly end: number;
  at(number: number): KeptEntry | undefined;
  numberOf(kept: KeptEntry): number | undefined;
  listFlow(flow: string): readonly KeptEntry[];
}

export interface Search {
  /** Until the search is complete, it lists the groups that will not change. */
  readonly groups: Groups;
  /** Compares the next requests if more are wanted, for some milliseconds. Returns whether it has enough. */
  goOn(options: SearchOptions): boolean;
  remove(kept: KeptEntry): void;
}

// Comparing these takes milliseconds, also with as many words as a filter may have.
const mostAtOnce = 500;

export function createSearch(filter: Filter, journal: SearchedJournal): Search {
  const selected = createGroups();
  const compared = new Set<KeptEntry>();
  /** Requests of the groups that were found, to compare before the others, so that each group is whole. */
  const waiting: KeptEntry[] = [];
  const completed = new Set<string>();
  let end = 0;
  /** All requests from this number on have been compared. */
  let reached = 0;

  function goOn(options: SearchOptions): boolean {
    if (journal.end > end) {
      [end, reached] = [journal.end, journal.end];
      completed.clear();
    }
    if (!hasEnough(options)) compareNext();
    return hasEnough(options);
  }

  function compareNext(): void {
    for (let left = mostAtOnce; left > 0;) {
      if (waiting.length === 0 && reached <= journal.first) return;
      const kept = waiting.pop() ?? journal.at(--reached);
      if (kept !== undefined && compare(kept)) left--;
    }
  }

  /** Returns whether the filter had to compare the request. */
  function compare(kept: KeptEntry): boolean {
    const number = journal.numberOf(kept);
    if (number === undefined || compared.has(kept)) return false;
    compared.add(kept);
    if (filter.matches(kept)) {
      selected.add(kept, number);
      complete(flowOf(kept));
    }
    return true;
  }

  function complete(flow: string | undefined): void {
    if (flow === undefined || completed.has(flow)) return;
    completed.add(flow);
    // The oldest one is taken first, and each goes behind it in its group.
    for (const kept of journal.listFlow(flow).toReversed()) {
      if (!compared.has(kept)) waiting.push(kept);
    }
  }

  const isComplete = () => waiting.length === 0 && reached <= journal.first;

  function* list(options: GroupListOptions = {}): Iterable<GroupEntries> {
    if (options.order === "oldest" && !isComplete()) return;
    for (const group of selected.list(options)) {
      // A request that has not been compared may belong before this group.
      if (!isComplete() && journal.numberOf(group.entries.at(-1)!)! < reached) return;
      yield group;
    }
  }

  function hasEnough({ wanted = Infinity, ...options }: SearchOptions): boolean {
    if (isComplete() || waiting.length > 0) return waiting.length === 0;
    let rows = 0;
    for (const { entries } of list(options)) {
      rows += entries.length;
      if (rows >= wanted) return true;
    }
    return false;
  }

  return {
    groups: {
      get count() {
        return selected.count;
      },
      get isComplete() {
        return isComplete();
      },
      countOf: selected.countOf,
      has: selected.has,
      list,
    },
    goOn,
    remove(kept) {
      compared.delete(kept);
      selected.remove(kept);
    },
  };
}
