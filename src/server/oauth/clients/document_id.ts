/** The ids of clients with a metadata document: the URL of the document (CIMD §3). */

import { type Reach, unfitToCall } from "../../http/outgoing_url.ts";
import { clientIdForm, isClientId } from "./client_id.ts";

/** Returns why a URL cannot be the id of such a client, or `undefined` if it can. */
export function unfitForDocument(id: string, reach: Reach): string | undefined {
  if (!isClientId(id)) return `must be ${clientIdForm}`;
  const expected = unfitToCall(id, reach);
  if (expected !== undefined) return expected;
  if (!/^https?:\/\/[^/?]+\//.test(id)) return "must have a path, for example /client.json";
  // Ids are compared as text, so no other text may lead to the same document. The port 443 makes another id.
  const href = new URL(id).href;
  return href === id.replace(/^(https:\/\/[^/]+):443\//, "$1/")
    ? undefined
    : "must be written as URL parsers write it, without . and .. in its path";
}
