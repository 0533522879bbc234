/** The exchanges of the journal in groups: one for each flow, and one for each exchange without a flow. */

import { flowOf } from "./exchange_parts.ts";
import type { KeptEntry } from "./request_list.ts";
import { createValueCounts, type ValueCounts } from "./value_counts.ts";
import { outcomeOf } from "./outcome_of.ts";
import { redactTexts } from "../../../server/oauth/secrets/redaction.ts";
import type { GroupSummary } from "../../timeline/exchange_props.ts";
import type { RequestOutcome } from "../../timeline/request_outcome.ts";
import { remember } from "../../../ground/values/remember.ts";
import { present } from "../../../ground/values/present.ts";

/** The oldest first. */
export interface GroupEntries {
  readonly key: string;
  readonly entries: readonly KeptEntry[];
}

/** A preflight that was answered says nothing about a flow. */
export function isWorthShowing({ entry: { request, facts } }: KeptEntry): boolean {
  return request.method !== "OPTIONS" || facts.refusal !== undefined;
}

export interface GroupListOptions {
  /** `newest`: the group with the latest exchange is the first one. `oldest`: it is the last one. Default: `newest`. */
  readonly order?: "newest" | "oldest";
  /** The number of an exchange. The list begins after the group whose latest exchange this is, or would be. */
  readonly after?: number;
}

const facetNames = ["outcome", "client", "person", "endpoint", "misbehaviour", "look_alike"] as const;
export type FacetName = typeof facetNames[number];

export interface Groups {
  /** The number of exchanges in all groups. */
  readonly count: number;
  /** False while a search has compared only some of the journal. What it counts are the ones found so far. */
  readonly isComplete: boolean;
  readonly countOf: ValueCounts<FacetName>["of"];
  has(kept: KeptEntry): boolean;
  list(options?: GroupListOptions): Iterable<GroupEntries>;
}

interface OpenGroups extends Groups {
  /** Adds an exchange. The later of two has the higher number, whichever is added first. */
  add(kept: KeptEntry, number: number): void;
  remove(kept: KeptEntry): void;
}

interface OpenGroup extends GroupEntries {
  readonly entries: KeptEntry[];
  readonly numbers: number[];
}

export function createGroups(): OpenGroups {
  const groupOf = new Map<KeptEntry, OpenGroup>();
  const byKey = new Map<string, OpenGroup>();
  /** The numbers of the latest exchanges of the groups, in their order. */
  const ends: number[] = [];
  const byEnd = new Map<number, OpenGroup>();
  const counts = createValueCounts(facetNames);

  function add(kept: KeptEntry, number: number): void {
    const flow = flowOf(kept);
    const key = flow === undefined ? `entry ${kept.entry.id}` : `flow ${flow}`;
    const group = remember(byKey, key, () => ({ key, entries: [], numbers: [] }));
    groupOf.set(kept, group);
    counts.add(kept);
    moving(group, () => {
      const at = countBelow(group.numbers, number);
      group.numbers.splice(at, 0, number);
      group.entries.splice(at, 0, kept);
    });
  }

  function remove(kept: KeptEntry): void {
    const group = groupOf.get(kept);
    if (group === undefined) return;
    groupOf.delete(kept);
    counts.remove(kept);
    moving(group, () => {
      const at = group.entries.indexOf(kept);
      group.numbers.splice(at, 1);
      group.entries.splice(at, 1);
    });
    if (group.entries.length === 0) byKey.delete(group.key);
  }

  function moving(group: OpenGroup, change: () => void): void {
    const before = group.numbers.at(-1);
    change();
    const end = group.numbers.at(-1);
    if (end === before) return;
    if (before !== undefined) {
      ends.splice(countBelow(ends, before), 1);
      byEnd.delete(before);
    }
    if (end === undefined) return;
    ends.splice(countBelow(ends, end), 0, end);
    byEnd.set(end, group);
  }

  function* list({ order = "newest", after }: GroupListOptions = {}): Iterable<GroupEntries> {
    if (order === "newest") {
      const start = after === undefined ? ends.length : countBelow(ends, after);
      for (let at = start - 1; at >= 0; at--) yield byEnd.get(ends[at]!)!;
    } else {
      const start = after === undefined ? 0 : countBelow(ends, after + 1);
      for (let at = start; at < ends.length; at++) yield byEnd.get(ends[at]!)!;
    }
  }

  return {
    get count() {
      return groupOf.size;
    },
    isComplete: true,
    countOf: counts.of,
    has: (kept) => groupOf.has(kept),
    list,
    add,
    remove,
  };
}

/** Returns how many of these numbers, which ascend, are lower than this one. */
function countBelow(numbers: readonly number[], number: number): number {
  // Most numbers are added at the end.
  if (numbers.length === 0 || numbers.at(-1)! < number) return numbers.length;
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** In the order of their arrival by real time: a test may turn the clock in between. A slow one is recorded late. */
export function sortByArrival(all: readonly KeptEntry[]): readonly KeptEntry[] {
  const arrivalOf = ({ entry, ahead }: KeptEntry) => entry.receivedAt - Math.round(ahead);
  return all.toSorted((one, other) => arrivalOf(one) - arrivalOf(other));
}

/** The one with the latest exchange first. */
export function groupByFlow(entries: readonly KeptEntry[]): readonly GroupEntries[] {
  const groups = createGroups();
  entries.forEach((kept, number) => groups.add(kept, number));
  return [...groups.list()];
}

export function describeGroup({ entries }: Pick<GroupEntries, "entries">): GroupSummary {
  const count = (outcome: RequestOutcome) =>
    entries.filter(({ entry }) => outcomeOf(entry) === outcome).length;
  return redactTexts({
    ...present({
      flow: entries[0] && flowOf(entries[0]),
      client: entries.find(({ entry }) => entry.facts.clientId !== undefined)?.entry.facts.clientId,
      person: entries.findLast(({ entry }) => entry.facts.subject !== undefined)?.entry.facts.subject,
    }),
    count: entries.length,
    refused: count("refused"),
    failed: count("failed"),
  });
}
