/** Follows a redirect of `fetch` (Fetch Standard §4.4, HTTP-redirect fetch). */

import { withoutQuery } from "../../http/address.ts";

/** The redirect statuses (Fetch Standard §2.2.3). A `Location` with any other status, such as 201, is no redirect. */
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The largest number of redirects that `fetch` follows (Fetch Standard §4.4). */
export const mostRedirects = 20;

// Headers about the body (Fetch Standard §2.2.5 "request-body-header name"), and its length, which some runtimes keep.
const bodyHeaders = ["content-encoding", "content-language", "content-location", "content-type"]
  .concat("content-length");

// Headers that are removed when a redirect leads to another origin, as in the fetch of the runtimes.
const originHeaders = ["authorization", "cookie", "proxy-authorization", "host"];

/** Creates the next request. `copy` is a copy of the redirected request, because its own body is already consumed. */
export async function redirectRequest(
  request: Request,
  copy: Request | undefined,
  status: number,
  url: URL,
): Promise<Request> {
  const { method, signal } = request;
  const becomesGet = status === 303
    ? method !== "GET" && method !== "HEAD"
    : (status === 301 || status === 302) && method === "POST";
  const headers = new Headers(request.headers);
  const removedHeaders = [
    ...becomesGet ? bodyHeaders : [],
    ...url.origin === new URL(request.url).origin ? [] : originHeaders,
  ];
  for (const name of removedHeaders) headers.delete(name);
  if (becomesGet) return new Request(url, { headers, signal });
  const body = copy === undefined ? {} : { body: await copy.arrayBuffer() };
  return new Request(url, { method, headers, signal, ...body });
}

/** Resolves a `Location` header against the URL of the request. */
export function readLocation(location: string, base: string): URL {
  if (URL.canParse(location, base)) return new URL(location, base);
  throw new TypeError(`fetch failed: ${withoutQuery(base)} redirects to an invalid URL`);
}
