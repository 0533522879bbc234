/** Follows a redirect of `fetch` (Fetch Standard §4.4, HTTP-redirect fetch). */

import { withoutQuery } from "../../http/address.ts";

/** Fetch Standard §2.2.3. A `Location` with any other status, such as 201, is not a redirect. */
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** As in browsers and on servers. */
export const mostRedirects = 20;

// Fetch Standard §2.2.5 "request-body-header name", and the length, which some runtimes keep.
const bodyHeaders = ["content-encoding", "content-language", "content-location", "content-type"]
  .concat("content-length");

// For one origin only, as the runtimes' own fetch treats them.
const originHeaders = ["authorization", "cookie", "proxy-authorization", "host"];

/** The request that follows. `kept` is a copy of the redirected request, whose body has been read. */
export async function redirectRequest(
  request: Request,
  kept: Request | undefined,
  status: number,
  url: URL,
): Promise<Request> {
  const { method, signal } = request;
  const becomesGet = status === 303
    ? method !== "GET" && method !== "HEAD"
    : (status === 301 || status === 302) && method === "POST";
  const headers = new Headers(request.headers);
  const dropped = [
    ...becomesGet ? bodyHeaders : [],
    ...url.origin === new URL(request.url).origin ? [] : originHeaders,
  ];
  for (const name of dropped) headers.delete(name);
  if (becomesGet) return new Request(url, { headers, signal });
  const body = kept === undefined ? {} : { body: await kept.arrayBuffer() };
  return new Request(url, { method, headers, signal, ...body });
}

export function readLocation(location: string, base: string): URL {
  if (URL.canParse(location, base)) return new URL(location, base);
  throw new TypeError(`fetch failed: ${withoutQuery(base)} redirects to an invalid URL`);
}
