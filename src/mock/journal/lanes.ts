/** Groups the exchanges of the journal into lanes: one for each flow, and one for each client without a flow. */

import { type Outcome, outcomeOf } from "../../oauth/journal.ts";
import { flowOf } from "./exchange_parts.ts";
import type { KeptEntry } from "./request_list.ts";

/** The entries of a lane, the oldest first. */
export interface LaneEntries {
  readonly key: string;
  readonly entries: readonly KeptEntry[];
}

/** A preflight that was answered says nothing about a flow. */
export function isWorthShowing({ entry: { request, facts } }: KeptEntry): boolean {
  return request.method !== "OPTIONS" || facts.refusal !== undefined;
}

// An application that asks for metadata every minute does not fill one endless lane.
const longestPause = 300;

/** Lanes that grow with each exchange. */
export interface Lanes {
  /** The number of exchanges in all lanes. */
  readonly count: number;
  /** How many exchanges have this outcome. */
  countOutcome(outcome: Outcome): number;
  add(kept: KeptEntry): void;
  /** Removes an exchange, if a lane has it. */
  remove(kept: KeptEntry): void;
  has(kept: KeptEntry): boolean;
  /**
   * Returns the lanes, the one with the latest exchange first. With `after`, it begins after the lane whose latest
   * exchange this is, or with the first lane if there is none.
   */
  latest(after?: KeptEntry): Iterable<LaneEntries>;
}

interface OpenLane extends LaneEntries {
  readonly owner: string;
  readonly entries: KeptEntry[];
  /** The place in the order of the lanes, which has gaps. */
  place: number;
}

/**
 * Creates an empty list of lanes. Exchanges without a flow join the ones of the same client, unless there is a pause of
 * five minutes between them.
 */
export function createLanes(): Lanes {
  const laneOf = new Map<KeptEntry, OpenLane>();
  /** The last lane of each flow, and of each client without a flow. */
  const open = new Map<string, OpenLane>();
  let order: (OpenLane | undefined)[] = [];
  const outcomes = { ok: 0, refused: 0, failed: 0 };

  function add(kept: KeptEntry): void {
    const { id, facts: { clientId } } = kept.entry;
    const flow = flowOf(kept);
    const owner = flow === undefined ? `client ${clientId ?? ""}` : `flow ${flow}`;
    let lane = open.get(owner);
    if (lane === undefined || flow === undefined && isPaused(lane, kept)) {
      lane = { key: flow === undefined ? `${owner} ${id}` : owner, owner, entries: [], place: -1 };
      open.set(owner, lane);
    }
    lane.entries.push(kept);
    laneOf.set(kept, lane);
    outcomes[outcomeOf(kept.entry)]++;
    moveToEnd(lane);
  }

  function moveToEnd(lane: OpenLane): void {
    if (lane.place >= 0 && lane.place === order.length - 1) return;
    if (lane.place >= 0) order[lane.place] = undefined;
    lane.place = order.push(lane) - 1;
    if (order.length > 2 * laneOf.size + 100) closeGaps();
  }

  function closeGaps(): void {
    order = order.filter((each) => each !== undefined);
    order.forEach((lane, place) => lane!.place = place);
  }

  function remove(kept: KeptEntry): void {
    const lane = laneOf.get(kept);
    if (lane === undefined) return;
    laneOf.delete(kept);
    outcomes[outcomeOf(kept.entry)]--;
    lane.entries.splice(lane.entries.indexOf(kept), 1);
    if (lane.entries.length > 0) return;
    order[lane.place] = undefined;
    if (open.get(lane.owner) === lane) open.delete(lane.owner);
  }

  function* latest(after?: KeptEntry): Iterable<LaneEntries> {
    const known = after && laneOf.get(after);
    const start = known?.entries.at(-1) === after ? known?.place : undefined;
    for (let place = (start ?? order.length) - 1; place >= 0; place--) {
      const lane = order[place];
      if (lane !== undefined) yield lane;
    }
  }

  return {
    get count() {
      return laneOf.size;
    },
    countOutcome: (outcome) => outcomes[outcome],
    add,
    remove,
    latest,
    has: (kept) => laneOf.has(kept),
  };
}

function isPaused({ entries }: OpenLane, { entry: { receivedAt } }: KeptEntry): boolean {
  return Math.abs(receivedAt - entries.at(-1)!.entry.receivedAt) > longestPause;
}

/** Returns the lanes of these exchanges, the one with the latest exchange first. */
export function groupLanes(entries: readonly KeptEntry[]): readonly LaneEntries[] {
  const lanes = createLanes();
  for (const kept of entries) lanes.add(kept);
  return [...lanes.latest()];
}
