/** Reads the table of requests on a page of the inspector, as a person reads it. */

import {
  attribute,
  type Element,
  findAll,
  findById,
  readHtml,
  textOf,
} from "../../server/pages/read_html.ts";

/** A request, or consecutive equal ones. */
export interface ListedRow {
  readonly id: string;
  /** The address of its page. */
  readonly href: string;
  readonly outcome: string;
  readonly time: string;
  /** Its place in its login, if the row says it. */
  readonly number: string;
  /** How long after the request before, if the row says it. */
  readonly step: string | undefined;
  /** Empty in a login, whose line names its client and its person. */
  readonly client: string;
  readonly person: string;
  /** What it was, such as "Code exchange". */
  readonly name: string;
  /** Its method and path. */
  readonly target: string;
  readonly status: string;
  readonly reason: string;
  /** The link that unfolds or folds equal requests. */
  readonly fold: { readonly text: string; readonly href: string } | undefined;
  /** What stands above the row about a turn of the clock. */
  readonly turned: string | undefined;
}

/** A login. */
export interface ListedGroup {
  readonly flow: string;
  readonly outcome: string;
  /** That of its latest request. */
  readonly time: string;
  readonly client: string;
  readonly person: string;
  readonly isOpen: boolean;
  /** The line that stays when the rows are folded. */
  readonly line: string;
  /** That of its latest request. */
  readonly status: string;
  /** That of the latest refusal, which it names if it is not the latest request. */
  readonly reason: string;
  readonly duration: string;
  readonly rows: readonly ListedRow[];
  /** The line above the rows, if the page leaves some out. */
  readonly earlier: Element | undefined;
}

export type ListedItem = ListedRow | ListedGroup;

export function isListedGroup(item: ListedItem): item is ListedGroup {
  return "flow" in item;
}

/** Returns the rows and the logins of a page, in the order of the page. */
export function readItems(html: string): readonly ListedItem[] {
  const table = findById(readHtml(html), "requests");
  return table === undefined ? [] : findAll(table, "tbody").map(readItem);
}

/** Returns the rows of a page, also those in folded logins, in the order of the page. */
export function readRows(html: string): readonly ListedRow[] {
  return readItems(html).flatMap((item) => isListedGroup(item) ? item.rows : [item]);
}

/** Returns the ids of the rows of a page. Equal requests that are folded have one row. */
export function listIds(html: string): readonly string[] {
  return readRows(html).map(({ id }) => id);
}

function readItem(body: Element): ListedItem {
  const lines = findAll(body, "tr");
  const id = attribute(body, "id") ?? "";
  if (attribute(body, "class") !== "band") {
    const [row, ...others] = readLines(lines);
    if (row === undefined || others.length > 0 || id !== `r-${row.id}`) throw new Error(`Not a row: ${id}`);
    return row;
  }
  const [head, ...rows] = lines;
  if (rows.length === 0 || !id.startsWith("f-")) throw new Error(`Not a group: ${id}`);
  const earlier = attribute(rows[0]!, "class") === "earlier" ? rows.shift() : undefined;
  const [time, , client, person, line, status, reason, duration] = cellsOf(head!);
  const [details] = findAll(line!, "details");
  return {
    flow: id.slice(2),
    outcome: attribute(head!, "class") ?? "ok",
    time: flatten(time),
    client: flatten(client),
    person: flatten(person),
    isOpen: attribute(details!, "open") !== undefined,
    line: flatten(findAll(details!, "summary")[0]),
    status: flatten(status),
    reason: flatten(reason),
    duration: flatten(duration),
    rows: readLines(rows),
    earlier,
  };
}

function readLines(lines: readonly Element[]): readonly ListedRow[] {
  return lines.flatMap((line, at) => {
    if (attribute(line, "class") === "turned") return [];
    const before = lines[at - 1];
    const isTurned = before !== undefined && attribute(before, "class") === "turned";
    return [readLine(line, isTurned ? flatten(before) : undefined)];
  });
}

function readLine(line: Element, turned: string | undefined): ListedRow {
  const cells = cellsOf(line);
  // Requests for keys and metadata have no status and no reason.
  const isLookup = cells.length === 6;
  if (!isLookup && cells.length !== 8) throw new Error(`A row with ${cells.length} cells`);
  const [time, , client, person, request, status, reason] = isLookup ? cells.slice(0, 5) : cells;
  const links = findAll(request!, "a");
  const fold = links.find((each) => attribute(each, "class") === "times");
  const link = links.at(-1)!;
  const href = attribute(link, "href") ?? "";
  const id = isLookup
    ? attribute(link, "data-others")?.split(" ")[0]
    : /\/inspector\/([\w-]+)(\?|$)/.exec(href)?.[1];
  if (id === undefined) throw new Error(`A row without a link to its request: ${href}`);
  return {
    id,
    href,
    outcome: attribute(line, "class") ?? "ok",
    time: flatten(time),
    number: flatten(findAll(request!, "span").find((each) => attribute(each, "class") === "step")),
    step: attribute(time!, "title"),
    client: flatten(client),
    person: flatten(person),
    name: flatten(link),
    target: flatten(findAll(request!, "code")[0]),
    status: flatten(status),
    reason: flatten(reason),
    fold: fold && { text: flatten(fold), href: attribute(fold, "href") ?? "" },
    turned,
  };
}

function cellsOf(line: Element): readonly Element[] {
  return line.children.filter((each): each is Element => typeof each !== "string" && each.name === "td");
}

function flatten(element: Element | undefined): string {
  return element === undefined ? "" : textOf(element).replaceAll(/\s+/g, " ").trim();
}
