/** The lists of people and clients: what the filter finds, and the part that a page shows. */

import type { ListName, Turns } from "./directory_parts.tsx";
import type { ListProps, Paging } from "./list_page.tsx";
import type { PageCall } from "../page.ts";
import { readNotices } from "./shared.ts";

const perPage = 50;

// In characters.
const longestQuery = 200;

/** A part of a list that is beside others on a page, and the addresses of the parts before and after it. */
export interface Slice<T> {
  readonly entries: readonly T[];
  readonly turns: Turns;
}

// The number of rows in one of several lists.
const perList = 10;

/** Returns the part of a list that the query parameter `name` chooses. */
export function sliceOf<T>(
  name: string,
  entries: readonly T[],
  { query, request: { address: { path } } }: Pick<PageCall, "query" | "request">,
): Slice<T> {
  const { number, last } = readPageNumber(query.get(name), entries.length, perList);
  const start = (number - 1) * perList;
  const linkTo = (page: number) => {
    const changed = new URLSearchParams(query);
    changed.delete("done");
    changed.set(name, `${page}`);
    return `${path}?${changed}#${name}-heading`;
  };
  return {
    entries: entries.slice(start, start + perList),
    turns: {
      from: start + 1,
      to: Math.min(entries.length, start + perList),
      all: entries.length,
      ...(number > 1 ? { previous: linkTo(number - 1) } : {}),
      ...(number < last ? { next: linkTo(number + 1) } : {}),
    },
  };
}

/** Reads the number of a page, which a person may have typed. */
function readPageNumber(
  text: string | null,
  count: number,
  size: number,
): { readonly number: number; readonly last: number } {
  const last = Math.max(1, Math.ceil(count / size));
  return { number: Math.min(last, Math.max(1, Math.floor(Number(text)) || 1)), last };
}

interface List<T> {
  readonly entries: readonly T[];
  /** Returns the texts of an entry in which the filter searches. */
  textsOf(entry: T): readonly (string | undefined)[];
  readonly isIncomplete: boolean;
}

/** Returns the entries of a list that the page shows, and the props that the pages of both lists have. */
export function describeList<T>(
  list: ListName,
  { entries, textsOf, isIncomplete }: List<T>,
  call: PageCall,
): { readonly shown: readonly T[]; readonly common: ListProps } {
  const page = pageOf(list, entries, textsOf, call);
  return {
    shown: page.entries,
    common: {
      paging: page.paging,
      notices: readNotices(call, { isIncomplete }),
      ...(call.seesSecrets
        ? { exportUrl: call.pathOf(list, "/export") }
        : { keyUrl: call.secretUrl("inspector") }),
    },
  };
}

/** Filters the entries by the text of the query, and returns those of one page. */
function pageOf<T>(
  list: ListName,
  entries: readonly T[],
  textsOf: (entry: T) => readonly (string | undefined)[],
  { query, pathOf }: Pick<PageCall, "query" | "pathOf">,
): { readonly entries: readonly T[]; readonly paging: Paging } {
  const wanted = (query.get("q") ?? "").trim().slice(0, longestQuery);
  const found = wanted === ""
    ? entries
    : entries.filter((entry) =>
      textsOf(entry).some((text) => text?.toLowerCase().includes(wanted.toLowerCase()))
    );
  const { number, last } = readPageNumber(query.get("page"), found.length, perPage);
  const start = (number - 1) * perPage;
  const shown = found.slice(start, start + perPage);
  const linkTo = (page: number) =>
    `${pathOf(list)}?${new URLSearchParams({ ...(wanted === "" ? {} : { q: wanted }), page: `${page}` })}`;
  return {
    entries: shown,
    paging: {
      query: wanted,
      from: start + 1,
      to: start + shown.length,
      all: found.length,
      ...(number > 1 ? { previous: linkTo(number - 1) } : {}),
      ...(number < last ? { next: linkTo(number + 1) } : {}),
    },
  };
}
