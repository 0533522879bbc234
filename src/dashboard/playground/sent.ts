/** Finds the page of the inspector about a request that the browser has just sent. */

import type { Answer } from "../../http/message.ts";
import { json } from "../../http/respond.ts";
import type { PageCall } from "../page.ts";

/** Answers with the latest recorded request with this method and path. */
export function answerSent({ query, watched: { journal }, pathOf }: PageCall): Answer {
  const [method, path] = [query.get("method"), query.get("path")];
  const kept = journal.kept.findLast(({ entry: { request } }) =>
    request.method === method && request.path === path
  );
  return json(kept === undefined ? {} : { href: pathOf("inspector", `/${kept.entry.id}`) });
}
