/** The form of client ids, also of those that are the URL of a metadata document (CIMD §3). */

import { isDotSegment } from "../../../../ground/values/dot_segment.ts";
import { type Reach, unfitToCall } from "../../../../ground/http/outgoing_url.ts";

/** In characters. Every store accepts ids of this length. */
const longest = 1000;

export const clientIdForm: string = `up to ${longest} characters of printable ASCII, and not blank, . or ..`;

/** Whether a text can be a client_id: printable ASCII (RFC 6749 appendix A.1), no dot segment, not blank and not too long. */
export function isClientId(text: string): boolean {
  return text.length <= longest && /^[\x20-\x7e]+$/.test(text) && text.trim() !== "" && !isDotSegment(text);
}

/**
 * Whether a text begins like an http(s) URL. Such an id belongs to a client with a metadata document, and to no other.
 * Parsers also read `https:host/path` and `https:\\host` as URLs, and skip what a person does not see at the beginning.
 */
export function isUrlId(text: string): boolean {
  return /^[^\x21-\x7e]*https?:/i.test(text);
}

/** Returns why a URL cannot be the id of a client with a metadata document, or `undefined` if it can. */
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
