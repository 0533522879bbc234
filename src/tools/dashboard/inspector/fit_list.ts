/** Describes the rows of a list of requests, as many as a page holds. */

import { describeLine, isWrongOnPurpose } from "../../../kit/mock/journal/describe_exchange.ts";
import {
  describeGroup,
  type GroupEntries,
  isWorthShowing,
  sortByArrival,
} from "../../../kit/mock/journal/groups.ts";
import { flowOf } from "../../../kit/mock/journal/exchange_parts.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import { isGroup, type ListItem, type LoginGroup, type RequestRow } from "../parts/list_props.ts";
import { describeReason } from "../parts/row_texts.ts";
import { present } from "../../../ground/values/present.ts";
import { measure } from "./fit_exchange.ts";
import { describeRun, foldGroup, type FoldOptions, foldRuns, type Run } from "./fold_requests.ts";
import { outcomeOf } from "../../../kit/mock/journal/outcome_of.ts";

interface FitOptions extends FoldOptions {
  /** How many rows the page holds, also in folded groups. */
  readonly most: number;
}

interface FittedList {
  readonly items: readonly ListItem[];
  /** The request after which the next page begins. */
  readonly next?: string;
}

// Characters of HTML for each row. With the frame, the sheets and the script, a page of 50 rows has less than 60,000 octets.
const mostPerRow = 350;
/** The markup of a row, beside its texts. */
const perRow = 260;
/** The markup of the line of a login, and of the links at its end. */
const perGroup = 760;
// A login with more requests has a page of its own.
const mostInGroup = 30;

export function fitList(groups: Iterable<GroupEntries>, options: FitOptions): FittedList {
  const items: ListItem[] = [];
  let [rows, characters] = [options.most, options.most * mostPerRow];
  let last: KeptEntry | undefined;
  // Joined, the row of several requests would show how long one of them took.
  const mayJoin = options.order === "slowest" ? () => false : undefined;
  for (const run of foldRuns(groups, options, mayJoin)) {
    const item = {
      ...run.isGroup ? describeLogin(run, options) : describeRun(run, options),
      ...present({ isUnfinished: isUnfinished(run, options) || undefined }),
    };
    const cost = costOf(item);
    if (items.length > 0 && (cost.rows > rows || cost.characters > characters)) {
      return { items, ...present({ next: last?.entry.id }) };
    }
    rows -= cost.rows;
    characters -= cost.characters;
    items.push(item);
    last = run.entries.at(-1);
  }
  return { items };
}

/** Whether a login got no tokens, and its last request is a question to the person or gave the client a code. */
function isUnfinished({ entries }: Run, { exchange }: FitOptions): boolean {
  const last = sortByArrival(entries).at(-1)!;
  const { result = "page" } = describeLine(last, undefined, exchange);
  if (["page", "next", "error"].includes(result)) return false;
  const all = listSteps(flowOf(last) ?? "", exchange);
  return all.at(-1) === last &&
    all.every(({ endpoint, entry }) =>
      outcomeOf(entry) === "ok" && !isWrongOnPurpose(entry.facts.altered) &&
      (endpoint !== "token" || entry.facts.refusal !== undefined)
    );
}

/** The requests of a login, in the order of time. */
function listSteps(flow: string, { journal }: FitOptions["exchange"]): readonly KeptEntry[] {
  return sortByArrival(journal.listFlow(flow).filter(isWorthShowing));
}

function describeLogin(run: Run, { before: _before, ...options }: FitOptions): LoginGroup {
  const { open, exchange } = options;
  const flow = flowOf(run.entries[0]!)!;
  const all = listSteps(flow, exchange);
  const entries = sortByArrival(run.entries);
  // The steps stand in the order of time, whichever request the list begins with.
  const steps = { ...options, order: "oldest" } as const;
  const shown = foldGroup(entries, steps).slice(-mostInGroup);
  const hidden = entries.length - shown.reduce((sum, run) => sum + run.entries.length, 0);
  const describeStep = (step: Run): RequestRow => {
    const [first] = step.entries;
    return {
      ...describeRun(step, steps, entries[entries.indexOf(first!) - 1]),
      step: all.indexOf(first!) + 1,
    };
  };
  const trouble = entries.findLast(({ entry }) => outcomeOf(entry) !== "ok") ??
    entries.findLast(({ entry }) => isWrongOnPurpose(entry.facts.altered));
  // A person may end the login on a page of the server, days after the client's last request.
  const ofClient = entries.filter(({ endpoint }) => endpoint !== "page");
  const timed = ofClient.length > 0 ? ofClient : entries;
  return {
    ...describeGroup({ entries }),
    flow,
    all: all.length,
    first: describeLine(all[0]!, undefined, exchange),
    ...present({ trouble: trouble && describeLine(trouble, undefined, exchange) }),
    last: describeLine(entries.at(-1)!, undefined, exchange),
    span: Math.max(...timed.map(({ entry }) => entry.receivedAt + entry.duration)) -
      timed[0]!.entry.receivedAt,
    rows: shown.map(describeStep),
    hidden,
    isOpen: open === "all" || open.includes(flow),
  };
}

function costOf(item: ListItem): { readonly rows: number; readonly characters: number } {
  if (!isGroup(item)) return { rows: 1, characters: costOfRow(item) };
  const { rows, client = "", person = "", trouble } = item;
  const lines = rows.reduce((sum, row) => sum + costOfRow(row), 0);
  const reason = trouble === undefined ? "" : describeReason(trouble);
  const texts = measure([client, client, person, person, reason]);
  return { rows: 1 + rows.length, characters: perGroup + lines + texts };
}

function costOfRow({ line, fold }: RequestRow): number {
  const { sender: { client }, person, target } = line;
  const others = fold?.others.join(" ") ?? "";
  return perRow + measure([client ?? "", person ?? "", target, others, describeReason(line)]);
}
