/** The list of the inspector: the requests that the filter selects, as many as fit on a page. */

import type { Answer } from "../../http/message.ts";
import { filterNames } from "../../mock/journal/filter.ts";
import { inspectorPage, type InspectorProps, type ListLinks } from "../../pages/inspector/inspector.tsx";
import type { PageCall } from "../page.ts";
import { fitList } from "./fit_list.ts";
import { readExchangeTerms, select } from "./journal_terms.ts";
import { type ListTerms, readListTerms, writeListTerms } from "./list_terms.ts";
import { present } from "../../present.ts";

// A script asks for more rows as a person scrolls.
const rowsOfPage = 50;
const mostRows = 200;

export async function showList(call: PageCall): Promise<Answer> {
  const { watched, query, pathOf, frame, seesSecrets } = call;
  const { index } = watched;
  const { line, filter, lanes } = await select(call);
  const terms = readListTerms(query);
  const { order, after } = terms;
  const listed = lanes.list({
    order,
    ...present({ after: after === undefined ? undefined : index.numberOf(after) }),
  });
  const { items, next } = fitList(listed, {
    ...terms,
    most: readRows(query),
    exchange: readExchangeTerms(call),
  });
  const path = pathOf("inspector");
  const props: InspectorProps = {
    line,
    problems: filter.problems,
    filterNames,
    items,
    count: lanes.count,
    all: index.count,
    refused: lanes.countOutcome("refused"),
    failed: lanes.countOutcome("failed"),
    isFinal: true,
    facets: [],
    links: describeLinks(terms, path, next),
    isNewestFirst: order === "newest",
    isUnfolded: terms.open === "all",
    query: carriedQuery(terms),
    now: watched.services.now(),
    path,
    homeUrl: frame.links[0]!.href,
    seesSecrets,
    keyForm: { purpose: "inspector", action: pathOf("session"), next: path, isWrong: false },
  };
  return call.show(inspectorPage(props));
}

function readRows(query: URLSearchParams): number {
  const rows = Number(query.get("rows") ?? rowsOfPage);
  return Number.isInteger(rows) ? Math.min(Math.max(rows, rowsOfPage), mostRows) : rowsOfPage;
}

/** Returns the addresses of the list in other forms. */
function describeLinks(terms: ListTerms, path: string, next: string | undefined): ListLinks {
  const { after: _after, ...first } = terms;
  const link = (changed: Partial<ListTerms>) => path + writeListTerms({ ...first, ...changed });
  const open = terms.open === "all" ? [] : terms.open;
  return {
    order: link({ order: terms.order === "newest" ? "oldest" : "newest" }),
    fold: link({ open: terms.open === "all" ? [] : "all" }),
    ...(next === undefined ? {} : { older: link({ after: next }) }),
    ...(terms.after === undefined ? {} : { newer: link({}) }),
    toggle: (key) =>
      path + writeListTerms({
        ...terms,
        open: open.includes(key) ? open.filter((each) => each !== key) : [...open, key],
      }),
  };
}

// Characters. Each row repeats the query, and a script adds a longer one when a row is opened.
const longestCarried = 80;

function carriedQuery({ line, order }: ListTerms): string {
  const query = writeListTerms({ line, order, open: [] });
  return query.length > longestCarried ? "" : query;
}
