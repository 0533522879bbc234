/** Groups the exchanges of the journal into lanes: one for each flow, and one for each exchange without a flow. */

import { flowOf } from "./exchange_parts.ts";
import type { KeptEntry } from "./request_list.ts";
import { createValueCounts, type ValueCounts } from "./value_counts.ts";
import { outcomeOf } from "../../../server/oauth/journal.ts";
import { redactTexts } from "../../../server/oauth/redaction.ts";
import type { Lane } from "../../timeline/exchange_props.ts";
import type { RequestOutcome } from "../../../server/schema/request_outcome.ts";
import { present } from "../../../server/values/present.ts";

/** The entries of a lane, the oldest first. */
export interface LaneEntries {
  readonly key: string;
  readonly entries: readonly KeptEntry[];
}

/** A preflight that was answered says nothing about a flow. */
export function isWorthShowing({ entry: { request, facts } }: KeptEntry): boolean {
  return request.method !== "OPTIONS" || facts.refusal !== undefined;
}

/** `newest`: the lane with the latest exchange is the first one. `oldest`: it is the last one. */
export type LaneOrder = "newest" | "oldest";

export interface LaneListTerms {
  /** Default: `newest`. */
  readonly order?: LaneOrder;
  /** The number of an exchange. The list begins after the lane whose latest exchange this is, or would be. */
  readonly after?: number;
}

/** The names whose values lanes count. */
const facetNames = ["outcome", "client", "misbehaviour", "look_alike"] as const;
export type FacetName = typeof facetNames[number];

/** The lanes of exchanges. */
export interface Lanes {
  /** The number of exchanges in all lanes. */
  readonly count: number;
  /** False while a search has compared only some of the journal. What it counts are the ones found so far. */
  readonly isComplete: boolean;
  /** How many exchanges have this value. */
  readonly countOf: ValueCounts<FacetName>["of"];
  has(kept: KeptEntry): boolean;
  list(terms?: LaneListTerms): Iterable<LaneEntries>;
}

/** Lanes that exchanges come to and go from. */
export interface OpenLanes extends Lanes {
  /** Adds an exchange. The later of two has the higher number, whichever is added first. */
  add(kept: KeptEntry, number: number): void;
  /** Removes an exchange, if a lane has it. */
  remove(kept: KeptEntry): void;
}

interface OpenLane extends LaneEntries {
  readonly entries: KeptEntry[];
  /** The numbers of the entries. */
  readonly numbers: number[];
}

/** Creates an empty list of lanes. */
export function createLanes(): OpenLanes {
  const laneOf = new Map<KeptEntry, OpenLane>();
  const byKey = new Map<string, OpenLane>();
  /** The numbers of the latest exchanges of the lanes, in their order. */
  const ends: number[] = [];
  const byEnd = new Map<number, OpenLane>();
  const counts = createValueCounts(facetNames);

  function add(kept: KeptEntry, number: number): void {
    const flow = flowOf(kept);
    const key = flow === undefined ? `entry ${kept.entry.id}` : `flow ${flow}`;
    const lane = byKey.get(key) ?? { key, entries: [], numbers: [] };
    byKey.set(key, lane);
    laneOf.set(kept, lane);
    counts.add(kept);
    moving(lane, () => {
      const at = countBelow(lane.numbers, number);
      lane.numbers.splice(at, 0, number);
      lane.entries.splice(at, 0, kept);
    });
  }

  function remove(kept: KeptEntry): void {
    const lane = laneOf.get(kept);
    if (lane === undefined) return;
    laneOf.delete(kept);
    counts.remove(kept);
    moving(lane, () => {
      const at = lane.entries.indexOf(kept);
      lane.numbers.splice(at, 1);
      lane.entries.splice(at, 1);
    });
    if (lane.entries.length === 0) byKey.delete(lane.key);
  }

  /** Changes a lane, and keeps the order of the lanes. */
  function moving(lane: OpenLane, change: () => void): void {
    const before = lane.numbers.at(-1);
    change();
    const end = lane.numbers.at(-1);
    if (end === before) return;
    if (before !== undefined) {
      ends.splice(countBelow(ends, before), 1);
      byEnd.delete(before);
    }
    if (end === undefined) return;
    ends.splice(countBelow(ends, end), 0, end);
    byEnd.set(end, lane);
  }

  function* list({ order = "newest", after }: LaneListTerms = {}): Iterable<LaneEntries> {
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
      return laneOf.size;
    },
    isComplete: true,
    countOf: counts.of,
    has: (kept) => laneOf.has(kept),
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

/** Returns the lanes of these exchanges, the one with the latest exchange first. */
export function groupLanes(entries: readonly KeptEntry[]): readonly LaneEntries[] {
  const lanes = createLanes();
  entries.forEach((kept, number) => lanes.add(kept, number));
  return [...lanes.list()];
}

/** Describes the requests of a lane in short: whose they are, and how they went. */
export function describeLane({ entries }: Pick<LaneEntries, "entries">): Lane {
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
