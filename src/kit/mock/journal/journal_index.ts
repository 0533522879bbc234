/** Finds recorded requests by id, by flow and in groups. Each use adds the requests that have arrived since the last use. */

import { nextTurn } from "../../../server/runtime/real_timer.ts";
import { remember } from "../../../ground/values/remember.ts";
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

export function createJournalIndex(listSources: () => readonly JournalSource[]): JournalIndex {
  let followed: readonly Followed[] = [];
  let order = createOrder();
  const byId = new Map<string, KeptEntry>();
  const byFlow = new Map<string, KeptEntry[]>();
  const byChallenge = new Map<string, KeptEntry[]>();
  let all = createGroups();
  let counts = createValueCounts(countedNames);
  let remembered = new WeakMap<KeptEntry, object>();

  function update(): void {
    const sources = listSources();
    const areSame = sources.length === followed.length &&
      sources.every((source, at) => followed[at]!.source === source);
    if (!areSame) restart(sources);
    for (const each of followed) removeOld(each);
    const fresh = followed.flatMap((each) => readFresh(each));
    if (followed.length > 1) fresh.sort((left, right) => endOf(left.kept) - endOf(right.kept));
    for (const { kept, from } of fresh) add(kept, from);
  }

  function restart(sources: readonly JournalSource[]): void {
    followed = sources.map((source) => ({ source, numbers: [], read: source.written - source.kept.length }));
    order = createOrder();
    all = createGroups();
    counts = createValueCounts(countedNames);
    remembered = new WeakMap();
    for (const map of [byId, byFlow, byChallenge]) map.clear();
    searches.restart();
  }

  function removeOld({ source: { kept, written }, numbers, read }: Followed): void {
    const removed = Math.min(numbers.length, numbers.length - read + written - kept.length);
    for (const number of numbers.splice(0, removed)) remove(number);
    order.dropGaps();
  }

  function readFresh(from: Followed): readonly { readonly kept: KeptEntry; readonly from: Followed }[] {
    const { kept, written } = from.source;
    const fresh = kept.slice(Math.max(0, kept.length - (written - from.read)));
    from.read = written;
    return fresh.map((each) => ({ kept: each, from }));
  }

  function add(kept: KeptEntry, from: Followed): void {
    const number = order.add(kept);
    from.numbers.push(number);
    byId.set(kept.entry.id, kept);
    addTo(byFlow, flowOf(kept), kept);
    addTo(byChallenge, findChallenge(kept), kept);
    counts.add(kept);
    if (isWorthShowing(kept)) all.add(kept, number);
  }

  function remove(number: number): void {
    const kept = order.remove(number);
    byId.delete(kept.entry.id);
    removeFrom(byFlow, flowOf(kept), kept);
    removeFrom(byChallenge, findChallenge(kept), kept);
    counts.remove(kept);
    all.remove(kept);
    searches.remove(kept);
  }

  function pastOf(kept: KeptEntry): Past {
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

  const searches = createKeptSearches({
    get first() {
      return order.first;
    },
    get end() {
      return order.end;
    },
    at: (number) => order.at(number),
    numberOf: (kept) => order.numberOf(kept),
    listFlow: (flow) => byFlow.get(flow) ?? [],
  });

  const current = <Arguments extends readonly unknown[], Result>(
    read: (...given: Arguments) => Result,
  ) =>
  (...given: Arguments): Result => {
    update();
    return read(...given);
  };
  return {
    get count() {
      update();
      return all.count;
    },
    listAll: current(() => order.list(order.first, order.end)),
    latest: current(() => order.latest()),
    find: current((id) => byId.get(id)),
    numberOf: current((id) => order.numberOf(byId.get(id)!) ?? -1),
    values: current((name) => counts.list(name)),
    listFlow: current((flow) => byFlow.get(flow) ?? []),
    pastOf,
    async select(line, filter, { hasLeft = () => false, ...options } = {}) {
      update();
      if (filter.selects !== "matches") return filter.selects === "everything" ? all : createGroups();
      return await searches.finish(line, filter, options, () => {
        if (hasLeft()) throw new Error("The client has left");
        update();
      });
    },
    remember: <T extends object>(kept: KeptEntry, create: () => T) => remember(remembered, kept, create) as T,
  };
}

/** Requests with ascending numbers. A removed one leaves a gap. */
interface Order extends Pick<SearchedJournal, "first" | "end" | "at" | "numberOf"> {
  /** Returns the number of the request. */
  add(kept: KeptEntry): number;
  remove(number: number): KeptEntry;
  /** Forgets the gaps before the first request. */
  dropGaps(): void;
  list(from: number, end: number): readonly KeptEntry[];
  latest(): Iterable<KeptEntry>;
}

function createOrder(): Order {
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
    at: (number) => entries[number - first],
    numberOf: (kept) => numbers.get(kept),
    add(kept) {
      const number = first + entries.length;
      entries.push(kept);
      numbers.set(kept, number);
      return number;
    },
    remove(number) {
      const kept = entries[number - first]!;
      entries[number - first] = undefined;
      numbers.delete(kept);
      return kept;
    },
    dropGaps() {
      const gaps = entries.findIndex((each) => each !== undefined);
      const unused = gaps < 0 ? entries.length : gaps;
      entries.splice(0, unused);
      first += unused;
    },
    list: (from, end) =>
      entries.slice(Math.max(0, from - first), Math.max(0, end - first)).filter((each) => each !== undefined),
    *latest() {
      for (let at = entries.length - 1; at >= 0; at--) {
        const kept = entries[at];
        if (kept !== undefined) yield kept;
      }
    },
  };
}

interface KeptSearches {
  /** Other requests run between two steps of the search, and then `goesOn` before the next step. */
  finish(line: string, filter: Filter, options: SearchOptions, goesOn: () => void): Promise<Groups>;
  restart(): void;
  remove(kept: KeptEntry): void;
}

interface KeptSearch {
  readonly filter: Filter;
  search: Search;
  waiting: number;
}

/** Keeps the searches of the last filters, so that each one compares a request once. */
function createKeptSearches(searched: SearchedJournal): KeptSearches {
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
    async finish(line, filter, options, goesOn) {
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
    remove(kept) {
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

function findChallenge({ endpoint, entry: { request } }: KeptEntry): string | undefined {
  if (endpoint !== "authorize" && endpoint !== "par") return undefined;
  const parameter = /(?:^|&)code_challenge=([\w-]{43})(?:&|$)/;
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
  const list = map.get(key)!;
  if (list.length === 1) map.delete(key);
  else list.splice(list.indexOf(kept), 1);
}
