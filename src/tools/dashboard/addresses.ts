/** The addresses of the pages of one client and of one person, and of the requests that a filter selects. */

import { writeListOptions } from "./inspector/list_options.ts";
import type { PageCall } from "./page.ts";

export function clientHref(id: string, { pathOf }: Pick<PageCall, "pathOf">): string {
  return `${pathOf("clients", "/client")}?${new URLSearchParams({ id })}`;
}

export function personHref(username: string, { pathOf }: Pick<PageCall, "pathOf">): string {
  return `${pathOf("people", "/person")}?${new URLSearchParams({ username })}`;
}

/** `part`: "/diagram" for the diagram of these requests instead of their list. */
export function filterHref(line: string, { pathOf }: Pick<PageCall, "pathOf">, part = ""): string {
  return pathOf("inspector", part) + writeListOptions({ line });
}
