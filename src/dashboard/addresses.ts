/** The addresses of the pages of one client and of one person, and of the requests that a filter selects. */

import type { PageCall } from "./page.ts";

export function clientHref(id: string, { pathOf }: Pick<PageCall, "pathOf">): string {
  return `${pathOf("clients", "/client")}?${new URLSearchParams({ id })}`;
}

export function personHref(username: string, { pathOf }: Pick<PageCall, "pathOf">): string {
  return `${pathOf("people", "/person")}?${new URLSearchParams({ username })}`;
}

export function filterHref(filter: string, { pathOf }: Pick<PageCall, "pathOf">): string {
  return `${pathOf("inspector")}?${new URLSearchParams({ q: filter })}`;
}
