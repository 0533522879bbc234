/** Groups the exchanges of the journal into lanes: one for each flow, and one for each client without a flow. */

import type { Lane } from "../../pages/inspector/exchange_props.ts";
import { describeLine, type ExchangeTerms } from "./describe_exchange.ts";
import { flowOf } from "./exchange_parts.ts";
import type { KeptEntry } from "./request_list.ts";

/** The entries of a lane, the oldest first. */
export interface LaneEntries {
  readonly key: string;
  readonly entries: readonly KeptEntry[];
}

/** Files of the pages and preflights say nothing about a flow. */
export function isWorthShowing({ endpoint, entry: { request, response, facts } }: KeptEntry): boolean {
  if (facts.refusal !== undefined && request.path !== "/favicon.ico") return true;
  if (request.method === "OPTIONS") return false;
  return endpoint !== "page" || facts.clientId !== undefined || facts.flow !== undefined ||
    response.status === 0;
}

// An application that asks for metadata every minute does not fill one endless lane.
const longestPause = 300;

/**
 * Returns the lanes, the one with the latest exchange first. Exchanges without a flow join the ones of the same client,
 * unless there is a pause of five minutes between them.
 */
export function groupLanes(entries: readonly KeptEntry[]): readonly LaneEntries[] {
  const lanes = new Map<string, KeptEntry[]>();
  const open = new Map<string, string>();
  for (const kept of entries) {
    const { id, receivedAt, facts: { clientId } } = kept.entry;
    const flow = flowOf(kept);
    const owner = flow === undefined ? `client ${clientId ?? ""}` : `flow ${flow}`;
    let key = flow === undefined ? open.get(owner) : owner;
    const last = key === undefined ? undefined : lanes.get(key)?.at(-1);
    const isPaused = flow === undefined && last !== undefined &&
      Math.abs(receivedAt - last.entry.receivedAt) > longestPause;
    if (key === undefined || isPaused) key = `${owner} ${id}`;
    if (flow === undefined) open.set(owner, key);
    const lane = lanes.get(key) ?? [];
    lane.push(kept);
    // Deletes and adds, so that the lane with the latest exchange is the last one.
    lanes.delete(key);
    lanes.set(key, lane);
  }
  return [...lanes].map(([key, laneEntries]) => ({ key, entries: laneEntries })).reverse();
}

/** Describes a lane with at most `most` exchanges, the latest ones. */
export function describeLane({ key, entries }: LaneEntries, most: number, terms: ExchangeTerms): Lane {
  const shown = most === 0 ? [] : entries.slice(-most);
  const hidden = entries.length - shown.length;
  const flow = flowOf(entries[0]!);
  const client = entries.find(({ entry }) => entry.facts.clientId !== undefined)?.entry.facts.clientId;
  const person = entries.findLast(({ entry }) => entry.facts.subject !== undefined)?.entry.facts.subject;
  return {
    key,
    ...(flow === undefined ? {} : { flow }),
    ...(client === undefined ? {} : { client }),
    ...(person === undefined ? {} : { person }),
    startedAt: entries[0]!.entry.receivedAt,
    refusals: entries.filter(({ entry }) => entry.facts.refusal !== undefined).length,
    exchanges: shown.map((kept, at) => describeLine(kept, entries[hidden + at - 1], terms)),
    older: hidden,
  };
}
