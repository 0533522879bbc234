/** Recognises the requests that no view of the journal has. */

import type { JournalEntry } from "../../oauth/journal.ts";
import type { EndpointName } from "../endpoints.ts";

/** Whether a browser has only loaded a page of the server or a file of its pages, which says nothing about a client. */
export function isOwnRequest({ request, response, facts }: JournalEntry, endpoint: EndpointName): boolean {
  if (request.path === "/favicon.ico") return true;
  const isLoad = endpoint === "page" && (request.method === "GET" || request.method === "HEAD");
  const { refusal, advice, altered, clientId, flow } = facts;
  const isPlain = [refusal, advice, altered, clientId, flow].every((fact) => fact === undefined);
  return isLoad && isPlain && response.status >= 200 && response.status < 400;
}
