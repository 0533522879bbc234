/** Shows a page of the client, as the browser of a person does. */

import type { Run } from "./habits.ts";

/** Loads the pictures of the page. */
export async function showPage(html: string, { as, scenario: { signal } }: Run): Promise<void> {
  for (const [, url = ""] of html.matchAll(/<img src=([^ >]+)/g)) await as.fetch(url, { signal });
}
