/** The list of the inspector: the lanes that the filter selects, the latest first, as many as fit on a page. */

import type { Answer } from "../../http/message.ts";
import { flowOf } from "../../mock/journal/exchange_parts.ts";
import { filterNames } from "../../mock/journal/filter.ts";
import { describeLane, groupLanes, isWorthShowing, type LaneEntries } from "../../mock/journal/lanes.ts";
import type { KeptEntry } from "../../mock/journal/request_list.ts";
import type { Lane } from "../../pages/inspector/exchange_props.ts";
import { inspectorPage, type InspectorProps } from "../../pages/inspector/inspector.tsx";
import type { PageCall } from "../page.ts";
import { measure } from "./measure.ts";
import { listKept, readExchangeTerms, select } from "./journal_terms.ts";

export function showList(call: PageCall): Answer {
  const { watched, query, pathOf, frame, seesSecrets } = call;
  const all = listKept(watched);
  const { line, filter, entries } = select(call, all);
  const lanes = groupLanes(entries);
  const before = lanes.findIndex(({ entries }) => entries.at(-1)!.entry.id === query.get("before"));
  const { shown, next } = fitLanes(lanes.slice(before + 1), call);
  const props: InspectorProps = {
    ...{ line, problems: filter.problems, filterNames, lanes: shown },
    ...{ count: entries.length, all: all.filter(isWorthShowing).length, refused: countRefused(entries) },
    shortcuts: listShortcuts(all, call.frame),
    isOldest: before >= 0,
    ...(next === undefined ? {} : { before: next }),
    ...{ path: pathOf("inspector"), homeUrl: frame.links[0]!.href, seesSecrets },
    keyForm: {
      ...{ purpose: "inspector", action: pathOf("session"), next: pathOf("inspector"), isWrong: false },
    },
  };
  return call.show((words) => inspectorPage(props, words));
}

function countRefused(entries: readonly KeptEntry[]): number {
  return entries.filter(({ entry }) => entry.facts.refusal !== undefined).length;
}

// Characters of HTML. With the frame, the style and the scripts, a page has less than 60 KB.
const mostCharacters = 18_000;
const mostInLane = 30;

/** Describes lanes until the page is full. `next` is the exchange after which the next page begins. */
function fitLanes(
  lanes: readonly LaneEntries[],
  call: PageCall,
): { readonly shown: readonly Lane[]; readonly next: string | undefined } {
  const terms = readExchangeTerms(call);
  const flows = groupByFlow(terms.all);
  const shown: Lane[] = [];
  let left = mostCharacters;
  for (const lane of lanes) {
    // Only exchanges of the same flow are compared in a list.
    const all = flows.get(flowOf(lane.entries[0]!)) ?? [];
    const described = fitLane(lane, { ...terms, all }, left);
    const cost = costOf(described);
    if (cost > left && shown.length > 0) break;
    left -= cost;
    shown.push(described);
  }
  const last = lanes[shown.length - 1];
  return { shown, next: shown.length < lanes.length ? last?.entries.at(-1)?.entry.id : undefined };
}

function fitLane(lane: LaneEntries, terms: Parameters<typeof describeLane>[2], left: number): Lane {
  let most = mostInLane;
  let described = describeLane(lane, most, terms);
  // A lane alone must fit, so its oldest exchanges are left out.
  while (most > 1 && costOf(described) > Math.max(left, mostCharacters / 2)) {
    most = Math.floor(most / 2);
    described = describeLane(lane, most, terms);
  }
  return described;
}

function costOf({ exchanges, client, person, flow }: Lane): number {
  const lines = exchanges.map((line) => measure(line) + 350);
  return 500 + measure({ client, person, flow }) + lines.reduce((sum, each) => sum + each, 0);
}

function groupByFlow(all: readonly KeptEntry[]): ReadonlyMap<string | undefined, readonly KeptEntry[]> {
  const groups = new Map<string | undefined, KeptEntry[]>();
  for (const kept of all) {
    const flow = flowOf(kept);
    const group = groups.get(flow);
    if (group === undefined) groups.set(flow, [kept]);
    else group.push(kept);
  }
  return groups;
}

const mostShortcuts = 6;

/** Returns filters that a person often wants: the clients, and what is wrong on purpose. */
function listShortcuts(all: readonly KeptEntry[], { badges }: PageCall["frame"]): readonly string[] {
  const clients = new Set(all.slice(-mostSearched).flatMap(({ entry }) => entry.facts.clientId ?? []));
  const names = badges.flatMap((badge) => badge.kind === "misbehaviour" ? badge.names : []);
  return [
    ...[...clients].slice(-mostShortcuts).map((id) => `client:${quoteValue(id)}`),
    ...names.slice(0, mostShortcuts).map((name) => `misbehaviour:${name}`),
  ];
}

const mostSearched = 500;

function quoteValue(text: string): string {
  return /^[\w.:/-]{1,100}$/.test(text) ? text : `"${text.replaceAll('"', "").slice(0, 100)}"`;
}
