/** The lists of people and clients: what the filter finds, and the part that a page shows. */

import { readSearch } from "../read_search.ts";
import type { ListName, Turns } from "./directory_parts.tsx";
import type { ListProps } from "./list_page.tsx";
import type { PageCall } from "../page.ts";
import { readNotices } from "./shared.ts";
import { present } from "../../../ground/values/present.ts";

const perPage = 50;

/** A part of a list that is beside others on a page, and the addresses of the parts before and after it. */
export interface Slice<T> {
  readonly entries: readonly T[];
  readonly turns: Turns;
}

// The number of rows in one of several lists.
export const perList = 10;

/** Returns the part of a list that the query parameter `name` chooses. What follows a colon in it names a group. */
export function sliceOf<T>(
  name: string,
  entries: readonly T[],
  { query, request: { address: { path } } }: Pick<PageCall, "query" | "request">,
): Slice<T> {
  return cutOut(entries, query.get(name), perList, (page) => {
    const changed = new URLSearchParams(query);
    changed.delete("done");
    changed.set(name, `${page}`);
    return `${path}?${changed}#${name.split(":")[0]}-heading`;
  });
}

/** `typed`: the number of the part, which a person may have typed. */
function cutOut<T>(
  entries: readonly T[],
  typed: string | null,
  size: number,
  linkTo: (part: number) => string,
): Slice<T> {
  const last = Math.max(1, Math.ceil(entries.length / size));
  const number = Math.min(last, Math.max(1, Math.floor(Number(typed)) || 1));
  const start = (number - 1) * size;
  const shown = entries.slice(start, start + size);
  return {
    entries: shown,
    turns: {
      from: start + 1,
      to: start + shown.length,
      all: entries.length,
      ...present({ previous: number > 1 ? linkTo(number - 1) : undefined }),
      ...present({ next: number < last ? linkTo(number + 1) : undefined }),
    },
  };
}

export function describeList<T>(
  list: ListName,
  { entries, textsOf, isIncomplete }: {
    readonly entries: readonly T[];
    /** Returns the texts of an entry in which the filter searches. */
    textsOf(entry: T): readonly (string | undefined)[];
    readonly isIncomplete: boolean;
  },
  call: PageCall,
): { readonly shown: readonly T[]; readonly common: ListProps } {
  const { query, pathOf } = call;
  const wanted = readSearch(query);
  const found = wanted === ""
    ? entries
    : entries.filter((entry) =>
      textsOf(entry).some((text) => text?.toLowerCase().includes(wanted.toLowerCase()))
    );
  const { entries: shown, turns } = cutOut(
    found,
    query.get("page"),
    perPage,
    (page) =>
      `${pathOf(list)}?${new URLSearchParams({ ...present({ q: wanted || undefined }), page: `${page}` })}`,
  );
  return {
    shown,
    common: {
      paging: { query: wanted, ...turns },
      notices: readNotices(call, { isIncomplete }),
      ...(call.seesSecrets
        ? { exportUrl: pathOf(list, "/export") }
        : { keyUrl: call.secretUrl("inspector") }),
    },
  };
}
