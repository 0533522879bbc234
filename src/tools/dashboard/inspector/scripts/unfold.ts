/** Unfolds or folds a row of the list where it is. Without this script its link opens the list anew. */
/// <reference lib="dom" />

import { loadPages } from "./shared/load_pages.ts";
import { writeOpen } from "./shared/note_fold.ts";
import { describeFocus, isSame, mapBodies } from "./shared/update_rows.ts";

const list = document.getElementById("list")!;
list.addEventListener("postern:unfold", ({ target }) => void toggle(target as HTMLElement));

async function toggle(link: HTMLElement): Promise<void> {
  const body = link.closest("tbody")!;
  const key = link.dataset["key"]!;
  const known = (new URLSearchParams(location.search).get("open") ?? "").split(",")
    .filter((each) => each !== "" && each !== "all");
  const open = (known.includes(key) ? known.filter((each) => each !== key) : [...known, key]).join(",");
  writeOpen(open);
  const address = new URL(body.dataset["page"] ?? list.dataset["path"] + location.search, location.href);
  address.searchParams.set("open", open);
  const page = await loadPages(address.href, (page) => goesOnAfter(page, body));
  if (page === undefined || !body.isConnected || !mapBodies(page).has(body.id)) return location.reload();
  for (const each of mapBodies(page).values()) each.dataset["page"] = address.href;
  replaceRows(page, body);
}

/** Puts the rows of `page` in place of this one and the next ones, up to a row that is the same in both. */
function replaceRows(page: ParentNode, body: Element): void {
  const known = mapBodies(list);
  const fresh = [...mapBodies(page).values()];
  const start = fresh.findIndex(({ id }) => id === body.id);
  const end = fresh.findIndex((each, at) => at > start && isSame(known.get(each.id), each));
  const next = end < 0 ? null : known.get(fresh[end]!.id)!;
  while (body.nextElementSibling !== next) body.nextElementSibling!.remove();
  const focused = describeFocus(body);
  body.replaceWith(...fresh.slice(start, end < 0 ? undefined : end));
  focused?.();
}

/** Whether `page` has this row, and after it a row that `list` has, too. */
function goesOnAfter(page: ParentNode, { id }: Element): boolean {
  const known = mapBodies(list);
  const fresh = [...mapBodies(page).values()];
  const start = fresh.findIndex((each) => each.id === id);
  return start >= 0 && fresh.slice(start + 1).some((each) => isSame(known.get(each.id), each));
}
