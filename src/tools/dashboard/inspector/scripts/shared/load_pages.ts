/** Loads pages of the list. */
/// <reference lib="dom" />

import { loadPage } from "../../../frame/scripts/shared/tab.ts";
import { appendRows } from "./update_rows.ts";

/** Loads a page of the list, and adds the rows of the next ones until they are enough. */
export async function loadPages(
  address: string,
  isEnough: (page: ParentNode, pages: number) => boolean,
): Promise<Document | undefined> {
  const page = await loadPage(address);
  for (let pages = 1; page !== undefined && !isEnough(page, pages); pages++) {
    const older = findOlder(page);
    const next = older && await loadPage(older);
    if (!next) break;
    appendRows(page, next);
  }
  return page;
}

export function findOlder(page: ParentNode): string | undefined {
  return page.querySelector("#older")?.getAttribute("href") ?? undefined;
}
