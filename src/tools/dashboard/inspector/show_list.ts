/** The list of the inspector: the requests that the filter selects, as many as fit on a page. */

import type { Answer } from "../../../ground/http/message.ts";
import { redirect } from "../../../ground/http/respond.ts";
import { inspectorPage, type InspectorProps, type ListLinks } from "./inspector_page.tsx";
import { splitByName } from "../../../kit/mock/journal/filter.ts";
import { type GroupEntries, sortByArrival } from "../../../kit/mock/journal/groups.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import { filterHref } from "../addresses.ts";
import type { PageCall } from "../page.ts";
import { findLogin } from "../find_login.ts";
import { fitList } from "./fit_list.ts";
import { standAlone } from "./fold_requests.ts";
import { exchangeOptionsOf, select } from "./selection.ts";
import { listFacets } from "./list_values.ts";
import { type ListOptions, readListOptions, writeListOptions, writeWord } from "./list_options.ts";
import type { LinkToValue } from "../parts/list_props.ts";
import { present } from "../../../ground/values/present.ts";

// A script asks for the next page as a person scrolls.
const rowsOfPage = 50;

export async function showList(call: PageCall): Promise<Answer> {
  const { watched, query, pathOf, frame, seesSecrets } = call;
  const { index } = watched;
  const options = readListOptions(query);
  const { order, after } = options;
  const login = await findLogin(query.get("q") ?? "", watched.services);
  // The address of the answer, and the history of the browser, do not keep the code or the token.
  if (login !== undefined) {
    return redirect(pathOf("inspector", writeListOptions({ order, line: `flow:${login}` })));
  }
  const from = order === "slowest"
    ? {}
    : { order, ...present({ after: after === undefined ? undefined : index.numberOf(after) }) };
  // A script asks for the counts, too, as soon as the page is shown. Which request is the slowest, only all of them show.
  const isWhole = query.has("counts") || order === "slowest";
  const selection = await select(call, isWhole ? from : { ...from, wanted: rowsOfPage + 1 });
  const { line, groups } = selection;
  // A filter about one login: its requests stand in the list one by one.
  const flow = /^flow:([\w-]{1,100})$/.exec(line)?.[1];
  const listed = flow === undefined && order !== "slowest"
    ? groups.list(from)
    : listAlone(flow === undefined ? [...groups.list()] : [{ entries: index.listFlow(flow) }], options);
  const before = ({ entry }: KeptEntry) => groups.list({ order: "newest", after: index.numberOf(entry.id) });
  const fit = { ...options, most: rowsOfPage, exchange: exchangeOptionsOf(call), before };
  const { items, next } = fitList(listed, fit);
  const path = pathOf("inspector");
  const links = describeLinks(options, path, next);
  const props: InspectorProps = {
    ...selection,
    ...options,
    items,
    all: index.count,
    facets: listFacets(line, groups, call, links.toLine),
    links: { ...links, ...present({ diagram: flow && filterHref(line, call, "/diagram") }) },
    query: carriedQuery(options),
    now: watched.services.now(),
    path,
    readerUrl: pathOf("playground", "/read"),
    homeUrl: frame.links[0]!.href,
    seesSecrets,
    keyForm: { purpose: "inspector", action: pathOf("session"), next: links.here, isWrong: false },
  };
  return call.show(inspectorPage(props));
}

/** Returns the requests of logins, the oldest of each first, as if each request stood alone. */
function listAlone(
  groups: readonly Pick<GroupEntries, "entries">[],
  { order, after }: ListOptions,
): Iterable<GroupEntries> {
  const entries = sortByArrival(groups.flatMap((group) => group.entries));
  const ordered = order === "newest"
    ? entries.toReversed()
    : order === "oldest"
    ? entries
    : entries.toSorted((one, other) => other.entry.duration - one.entry.duration);
  const from = ordered.findIndex(({ entry }) => entry.id === after) + 1;
  return standAlone(ordered.slice(from));
}

function describeLinks(options: ListOptions, path: string, next: string | undefined): ListLinks {
  const { after: _after, ...first } = options;
  const link = (changed: Partial<ListOptions>) => path + writeListOptions({ ...first, ...changed });
  const toLine = (line: string) => link({ line, open: [] });
  const open = options.open === "all" ? [] : options.open;
  // A login is shown whole.
  const besides = (name: Parameters<LinkToValue>[0]) =>
    name === "flow" ? [] : splitByName(options.line, name).others;
  return {
    toOrder: (order) => link({ order }),
    compare: `${path}/compare${writeListOptions({ line: options.line })}`,
    fold: link({ open: options.open === "all" ? [] : "all" }),
    ...present({ older: next === undefined ? undefined : link({ after: next }) }),
    ...present({ newer: options.after === undefined ? undefined : link({}) }),
    toLine,
    here: path + writeListOptions(options),
    toValue: (name, value) => toLine([writeWord(name, value), ...besides(name)].join(" ")),
    toggle: (key) =>
      path + writeListOptions({
        ...options,
        open: open.includes(key) ? open.filter((each) => each !== key) : [...open, key],
      }),
  };
}

// Characters. Each row repeats the query, and a script adds a longer one when a row is opened.
const longestCarried = 80;

function carriedQuery({ line, order }: ListOptions): string {
  const query = writeListOptions({ line, order });
  return query.length > longestCarried ? "" : query;
}
