/** The list of the inspector: the lanes that the filter selects, the latest first, as many as fit on a page. */

import type { Answer } from "../../http/message.ts";
import { filterNames } from "../../mock/journal/filter.ts";
import { describeLane } from "../../mock/journal/describe_lane.ts";
import type { LaneEntries } from "../../mock/journal/lanes.ts";
import type { Lane } from "../../pages/inspector/exchange_props.ts";
import { inspectorPage, type InspectorProps } from "../../pages/inspector/inspector.tsx";
import type { PageCall } from "../page.ts";
import { costOfRemarks, fitRemarks, measure } from "./fit_exchange.ts";
import { readExchangeTerms, select } from "./journal_terms.ts";
import { present } from "../../present.ts";

export async function showList(call: PageCall): Promise<Answer> {
  const { watched: { index }, query, pathOf, frame, seesSecrets } = call;
  const { line, filter, lanes } = await select(call);
  const before = query.get("before") ?? undefined;
  const after = before === undefined ? undefined : index.numberOf(before);
  const { shown, next } = fitLanes(lanes.list(present({ after })), call);
  const props: InspectorProps = {
    line,
    problems: filter.problems,
    filterNames,
    lanes: shown,
    count: lanes.count,
    all: index.count,
    refused: lanes.countOutcome("refused"),
    failed: lanes.countOutcome("failed"),
    shortcuts: listShortcuts(call),
    isOldest: before !== undefined,
    ...present({ before: next }),
    clock: pathOf("misbehaviours", "/clock"),
    path: pathOf("inspector"),
    homeUrl: frame.links[0]!.href,
    seesSecrets,
    keyForm: { purpose: "inspector", action: pathOf("session"), next: pathOf("inspector"), isWrong: false },
  };
  return call.show(inspectorPage(props));
}

// Characters of HTML. With the frame, the style and the scripts, a page has less than 60 KB.
const mostCharacters = 18_000;
const mostInLane = 30;

/** Describes lanes until the page is full. `next` is the exchange after which the next page begins. */
function fitLanes(
  lanes: Iterable<LaneEntries>,
  call: PageCall,
): { readonly shown: readonly Lane[]; readonly next: string | undefined } {
  const terms = readExchangeTerms(call);
  const shown: Lane[] = [];
  let left = mostCharacters;
  for (const lane of lanes) {
    const described = fitLane(lane, terms, left);
    const cost = costOf(described);
    if (cost > left && shown.length > 0) return { shown, next: shown.at(-1)!.exchanges.at(-1)!.id };
    left -= cost;
    shown.push(described);
  }
  return { shown, next: undefined };
}

function fitLane(lane: LaneEntries, terms: Parameters<typeof describeLane>[2], left: number): Lane {
  const describe = (most: number): Lane => {
    const described = describeLane(lane, most, terms);
    return { ...described, exchanges: described.exchanges.map(fitRemarks) };
  };
  let most = mostInLane;
  let described = describe(most);
  // A lane alone must fit, so its oldest exchanges are left out.
  while (most > 1 && costOf(described) > Math.max(left, mostCharacters / 2)) {
    most = Math.floor(most / 2);
    described = describe(most);
  }
  return described;
}

function costOf({ exchanges, client, person, flow }: Lane): number {
  const lines = exchanges.map(({ remarks, ...line }) =>
    measure(line) + costOfRemarks(remarks) + 350 + 300 * line.hints.length
  );
  return 500 + measure({ client, person, flow }) + lines.reduce((sum, each) => sum + each, 0);
}

const mostShortcuts = 6;

/** Returns filters that a person often wants: the clients, and what is wrong on purpose. */
function listShortcuts({ frame: { conditions }, watched: { index } }: PageCall): readonly string[] {
  const clients = new Set<string>();
  let searched = 0;
  for (const { entry: { facts: { clientId } } } of index.latest()) {
    if (clientId !== undefined) clients.add(clientId);
    if (++searched >= mostSearched || clients.size >= mostShortcuts) break;
  }
  const names = conditions.flatMap((each) => each.kind === "misbehaviour" ? each.names : []);
  return [
    ...[...clients].map((id) => `client:${quoteValue(id)}`),
    ...names.slice(0, mostShortcuts).map((name) => `misbehaviour:${name}`),
  ];
}

const mostSearched = 500;

function quoteValue(text: string): string {
  return /^[\w.:/-]{1,100}$/.test(text) ? text : `"${text.replaceAll('"', "").slice(0, 100)}"`;
}
