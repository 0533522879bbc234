/** How the list of the inspector is shown. It stands in the address, so that reload, Back and a link show the same. */

import { present } from "../../../ground/values/present.ts";
import { type ListOrder, listOrders } from "../parts/list_props.ts";

export interface ListOptions {
  /** The filter line. */
  readonly line: string;
  readonly order: ListOrder;
  /** The keys of the groups and repetitions that are unfolded, or "all". */
  readonly open: "all" | readonly string[];
  readonly after?: string;
}

// In characters.
const longestLine = 1_000;
// A page has at most 50 rows.
const mostOpen = 50;

export function readListOptions(query: URLSearchParams): ListOptions {
  const open = query.get("open") ?? "";
  const after = query.get("after");
  return {
    line: (query.get("q") ?? "").slice(0, longestLine),
    order: listOrders.find((each) => each === query.get("order")) ?? "newest",
    open: open === "all" ? open : open.split(",").filter(isKey).slice(0, mostOpen),
    ...present({ after: after !== null && isKey(after) ? after : undefined }),
  };
}

function isKey(text: string): boolean {
  return /^[\w-]{1,100}$/.test(text);
}

/** Returns the query of an address that shows the list in this way: empty, or with its question mark. */
export function writeListOptions(
  { line = "", order = "newest", open = [], after }: Partial<ListOptions>,
): string {
  const query = new URLSearchParams({
    ...present({ q: line || undefined, order: order === "newest" ? undefined : order }),
    ...present({ open: open.length === 0 ? undefined : open === "all" ? open : open.join(","), after }),
  });
  return query.size === 0 ? "" : `?${query}`.replaceAll("%3A", ":");
}

/** Returns the word of a filter line that selects the requests with a value. */
export function writeWord(name: string, value: string): string {
  // A filter takes two slashes without quotes for an address, which is free text.
  const isPlain = /^(?!\/\/)[\w.:/-]{1,100}$/.test(value);
  return `${name}:${isPlain ? value : `"${value.replaceAll('"', "").slice(0, 100).toWellFormed()}"`}`;
}
