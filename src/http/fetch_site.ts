/** Where a browser says that a request comes from (Fetch Metadata Request Headers). */

import type { IncomingRequest } from "./message.ts";

/**
 * `not cross-site`: a page of the same site, an address that a person typed, or a caller that is no browser. The others
 * come from a page of another site: a page that opens, an `<iframe>`, or an image, a script, a `fetch` and the like.
 */
export type FetchSite = "not cross-site" | "cross-site document" | "cross-site iframe" | "cross-site other";

/** Sites ignore ports: localhost:3000 and localhost:9000 are one site, 127.0.0.1 and localhost are two. */
export function readFetchSite(request: IncomingRequest): FetchSite {
  const site = request.header("sec-fetch-site");
  if (site === undefined || ["same-origin", "same-site", "none"].includes(site)) return "not cross-site";
  switch (request.header("sec-fetch-dest")) {
    case "document":
      // A page that is prefetched or prerendered opens only if the person follows a link to it.
      return request.header("sec-purpose") === undefined ? "cross-site document" : "cross-site other";
    case "iframe":
      return "cross-site iframe";
    default:
      return "cross-site other";
  }
}
