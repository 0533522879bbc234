/** Finds recorded requests by id, by flow and in groups. Each use adds the requests that have arrived since the last use. */

import { nextTurn } from "../../../server/runtime/real_timer.ts";
import { remember } from "../../../ground/values/remember.ts";
import { findHeader } from "../../../server/oauth/contracts/journal.ts";
import { flowOf } from "./exchange_parts.ts";
import { type CountedName, countedNames, type Filter } from "./filter.ts";
import { createGroups, type Groups, isWorthShowing } from "./groups.ts";
import type { KeptEntry } from "./request_list.ts";
import { createSearch, type Search, type SearchedJournal, type SearchOptions } from "./search.ts";
import { createValueCounts } from "./value_counts.ts";

/** A list of recorded requests that grows at its end and shrinks at its start. */
export interface JournalSource {
  readonly kept: readonly KeptEntry[];
  /** How many requests the list has had in all, also the removed ones. */
  readonly written: number;
}

export interface JournalIndex {
  readonly count: number;
  /** In the order of their responses. This takes time in proportion to the journal. */
  listAll(): readonly KeptEntry[];
  /** The latest first, as long as the caller reads on. */
  latest(): Iterable<KeptEntry>;
  find(id: string): KeptEntry | undefined;
  /** Groups are listed by it. A request that the index lacks is older than the others. */
  numberOf(id: string): number;
  /** Returns the most frequent values that a filter can name, each with the number of its requests. */
  values(name: CountedName): ReadonlyMap<string, number>;
  /** In the order of their responses. */
  listFlow(flow: string): readonly KeptEntry[];
  pastOf(kept: KeptEntry): Past;
  /**
   * Returns the requests that the filter selects, as groups. The index keeps the groups of the last filters, and compares
   * each request once, the latest first. It returns as soon as there are as many as `wanted`, and a later call goes on.
   * Other requests run in between. Rejects when `hasLeft` says that the client has left.
   */
  select(line: string, filter: Filter, options?: SelectOptions): Promise<Groups>;
  /** Returns what `create` has returned for this request before. */
  remember<T extends object>(kept: KeptEntry, create: () => T): T;
}

interface SelectOptions extends SearchOptions {
  readonly hasLeft?: () => boolean;
}

/** The requests before a request, in the order of their responses. */
export interface Past {
  /** The requests of the same flow. Empty without a flow. */
  readonly flow: readonly KeptEntry[];
  readonly recent: readonly KeptEntry[];
  findChallenge(challenge: string): KeptEntry | undefined;
}

const mostRecent = 2_000;
// A page refreshes its filter as requests arrive. More filters are rarely open at the same time.
const mostFilters = 8;

interface Followed {
  readonly source: JournalSource;
  readonly numbers: number[];
  /** How many requests of the source the index has had. */
  read: number;
}

/** What the index has read. It begins anew when there are other sources. */
type Known = ReturnType<typeof createKnown>;

export function createJournalIndex(listSources: () => readonly JournalSource[]): JournalIndex {
  let known = createKnown([]);
  const searches = createKeptSearches({
    get first() {
      return known.order.first;
    },
    get end() {
      return known.order.end;
    },
    at: (number) => known.order.at(number),
    numberOf: (kept) => known.order.numberOf(kept),
    listFlow: (flow) => known.byFlow.get(flow) ?? [],
  });
  const update = () => {
    const sources = listSources();
    if (!follows(sources, known)) {
      known = createKnown(sources);
      searches.restart();
    }
    readOn(known, searches);
    return known;
  };
  return {
    get count() {
      return update().all.count;
    },
    listAll() {
      const { order } = update();
      return order.list(order.first, order.end);
    },
    latest: () => update().order.latest(),
    find: (id) => update().byId.get(id),
    numberOf(id) {
      const { order, byId } = update();
      return order.numberOf(byId.get(id)!) ?? -1;
    },
    values: (name) => update().counts.list(name),
    listFlow: (flow) => update().byFlow.get(flow) ?? [],
    pastOf: (kept) => pastOf(kept, known),
    async select(line, filter, { hasLeft = () => false, ...options } = {}) {
      const { all } = update();
      if (filter.selects !== "matches") return filter.selects === "everything" ? all : createGroups();
      return await searches.finish(line, filter, options, () => {
        if (hasLeft()) throw new Error("The client has left");
        update();
      });
    },
    remember: <T extends object>(kept: KeptEntry, create: () => T) =>
      remember(known.remembered, kept, create) as T,
  };
}

function createKnown(sources: readonly JournalSource[]) {
  return {
    followed: sources.map((source): Followed => ({
      source,
      numbers: [],
      read: source.written - source.kept.length,
    })),
    order: createOrder(),
    byId: new Map<string, KeptEntry>(),
    byFlow: new Map<string, KeptEntry[]>(),
    byChallenge: new Map<string, KeptEntry[]>(),
    all: createGroups(),
    counts: createValueCounts(countedNames),
    remembered: new WeakMap<KeptEntry, object>(),
  };
}

function follows(sources: readonly JournalSource[], { followed }: Known): boolean {
  return sources.length === followed.length && sources.every((source, at) => followed[at]!.source === source);
}

/** Removes the requests that their source has removed, and adds the new ones. */
function readOn(known: Known, searches: KeptSearches): void {
  const { followed } = known;
  for (const each of followed) removeOld(each, known, searches);
  const fresh = followed.flatMap((each) => readFresh(each));
  if (followed.length > 1) fresh.sort((left, right) => endOf(left.kept) - endOf(right.kept));
  for (const { kept, from } of fresh) add(kept, from, known, searches);
}

function removeOld(
  { source: { kept, written }, numbers, read }: Followed,
  known: Known,
  searches: KeptSearches,
): void {
  const removed = Math.min(numbers.length, numbers.length - read + written - kept.length);
  for (const number of numbers.splice(0, removed)) searches.remove(remove(number, known));
  known.order.dropGaps();
}

function readFresh(from: Followed): readonly { readonly kept: KeptEntry; readonly from: Followed }[] {
  const { kept, written } = from.source;
  const fresh = kept.slice(Math.max(0, kept.length - (written - from.read)));
  from.read = written;
  return fresh.map((each) => ({ kept: each, from }));
}

function add(kept: KeptEntry, from: Followed, known: Known, searches: KeptSearches): void {
  const { order, byId, byFlow, byChallenge, counts, all } = known;
  const number = order.add(kept);
  from.numbers.push(number);
  byId.set(kept.entry.id, kept);
  const [flow, challenge] = [flowOf(kept), findChallenge(kept)];
  // The page that sent the browser to this authorization request is the first step of its flow.
  const start = byChallenge.get(challenge ?? "")?.find(({ endpoint }) => endpoint === "page");
  if (start && flow && (start.begins ??= flow) === flow && !byFlow.get(flow)?.includes(start)) {
    for (const groups of [searches, all]) groups.remove(start);
    addTo(byFlow, flow, start);
    all.add(start, order.numberOf(start)!);
  }
  addTo(byFlow, flow, kept);
  addTo(byChallenge, challenge, kept);
  counts.add(kept);
  if (isWorthShowing(kept)) all.add(kept, number);
}

function remove(number: number, { order, byId, byFlow, byChallenge, counts, all }: Known): KeptEntry {
  const kept = order.remove(number);
  byId.delete(kept.entry.id);
  removeFrom(byFlow, flowOf(kept), kept);
  removeFrom(byChallenge, findChallenge(kept), kept);
  counts.remove(kept);
  all.remove(kept);
  return kept;
}

function pastOf(kept: KeptEntry, { order, byFlow, byChallenge }: Known): Past {
  const number = order.numberOf(kept) ?? order.end;
  const isEarlier = (each: KeptEntry) => order.numberOf(each)! < number;
  const flow = flowOf(kept);
  return {
    flow: flow === undefined ? [] : takeBefore(byFlow.get(flow) ?? [], kept),
    get recent() {
      return order.list(number - mostRecent, number);
    },
    findChallenge: (challenge) => byChallenge.get(challenge)?.findLast(isEarlier),
  };
}

/** Requests with ascending numbers. A removed one leaves a gap. */
function createOrder() {
  const entries: (KeptEntry | undefined)[] = [];
  const numbers = new Map<KeptEntry, number>();
  let first = 0;
  return {
    get first() {
      return first;
    },
    get end() {
      return first + entries.length;
    },
    at: (number: number) => entries[number - first],
    numberOf: (kept: KeptEntry) => numbers.get(kept),
    /** Returns the number of the request. */
    add(kept: KeptEntry) {
      const number = first + entries.length;
      entries.push(kept);
      numbers.set(kept, number);
      return number;
    },
    remove(number: number) {
      const kept = entries[number - first]!;
      entries[number - first] = undefined;
      numbers.delete(kept);
      return kept;
    },
    /** Forgets the gaps before the first request. */
    dropGaps() {
      const gaps = entries.findIndex((each) => each !== undefined);
      const unused = gaps < 0 ? entries.length : gaps;
      entries.splice(0, unused);
      first += unused;
    },
    list: (from: number, end: number) =>
      entries.slice(Math.max(0, from - first), Math.max(0, end - first)).filter((each) => each !== undefined),
    *latest(): Iterable<KeptEntry> {
      for (let at = entries.length - 1; at >= 0; at--) {
        const kept = entries[at];
        if (kept !== undefined) yield kept;
      }
    },
  };
}

type KeptSearches = ReturnType<typeof createKeptSearches>;

interface KeptSearch {
  readonly filter: Filter;
  search: Search;
  waiting: number;
}

/** Keeps the searches of the last filters, so that each one compares a request once. */
function createKeptSearches(searched: SearchedJournal) {
  const searches = new Map<string, KeptSearch>();

  function open(line: string, filter: Filter): KeptSearch {
    const opened = searches.get(line) ?? { filter, search: createSearch(filter, searched), waiting: 0 };
    // Deletes and adds, so that the filter that was used least recently is the first one.
    searches.delete(line);
    searches.set(line, opened);
    const unused = [...searches].find(([, { waiting }]) => waiting === 0);
    if (searches.size > mostFilters && unused !== undefined) searches.delete(unused[0]);
    return opened;
  }

  return {
    /** Other requests run between two steps of the search, and then `goesOn` before the next step. */
    async finish(line: string, filter: Filter, options: SearchOptions, goesOn: () => void) {
      const opened = open(line, filter);
      opened.waiting++;
      try {
        while (!opened.search.goOn(options)) {
          await nextTurn();
          goesOn();
        }
        return opened.search.groups;
      } finally {
        opened.waiting--;
      }
    },
    restart() {
      for (const kept of searches.values()) kept.search = createSearch(kept.filter, searched);
    },
    remove(kept: KeptEntry) {
      for (const { search } of searches.values()) search.remove(kept);
    },
  };
}

/** Creates an index of a list that does not change. */
export function indexEntries(kept: readonly KeptEntry[]): JournalIndex {
  const sources = [{ kept, written: kept.length }];
  const index = createJournalIndex(() => sources);
  index.find("");
  return index;
}

function endOf({ entry: { receivedAt, duration } }: KeptEntry): number {
  return receivedAt + duration;
}

function findChallenge({ endpoint, entry: { request, response } }: KeptEntry): string | undefined {
  const parameter = /(?:^|[?&])code_challenge=([\w-]{43})(?:&|$)/;
  if (endpoint === "page") return parameter.exec(findHeader(response, "location") ?? "")?.[1];
  if (endpoint !== "authorize" && endpoint !== "par") return undefined;
  return (parameter.exec(request.query) ?? parameter.exec(request.body ?? ""))?.[1];
}

function takeBefore(list: readonly KeptEntry[], kept: KeptEntry): readonly KeptEntry[] {
  const at = list.lastIndexOf(kept);
  return at < 0 ? list : list.slice(0, at);
}

function addTo(map: Map<string, KeptEntry[]>, key: string | undefined, kept: KeptEntry): void {
  if (key === undefined) return;
  remember(map, key, () => []).push(kept);
}

function removeFrom(map: Map<string, KeptEntry[]>, key: string | undefined, kept: KeptEntry): void {
  if (key === undefined) return;
  const list = map.get(key);
  // Another index may have found the flow that begins with this request, and this one has not.
  const at = list?.indexOf(kept) ?? -1;
  if (at < 0) return;
  if (list!.length === 1) map.delete(key);
  else list!.splice(at, 1);
}
