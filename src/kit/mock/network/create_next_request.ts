/** Creates the request that follows a redirect (Fetch Standard §4.4, HTTP-redirect fetch). */

import { withoutQuery } from "../../../ground/http/address.ts";
import { isStream } from "../../../ground/http/body.ts";
import { createNetworkError } from "./network_error.ts";
import { present } from "../../../ground/values/present.ts";

/** What a redirect says, and the request that it answers. */
interface Redirect {
  readonly request: Request;
  /** A copy of the request with its body. `undefined`: the request has no body. */
  readonly copy: Request | undefined;
  /** The body that the client gave, if known. */
  readonly body: unknown;
  readonly status: number;
  readonly location: string | null;
  /** How many redirects the client has followed before. */
  readonly redirects: number;
}

/** The largest number of redirects that `fetch` follows (Fetch Standard §4.4). Bun follows more. */
const mostRedirects = 20;

// Headers about the body (Fetch Standard §2.2.5 "request-body-header name"), and its length, which some runtimes keep.
const bodyHeaders = ["content-encoding", "content-language", "content-location", "content-type"]
  .concat("content-length");

// Headers that are removed when a redirect leads to another origin, as in the fetch of the runtimes.
const originHeaders = ["authorization", "cookie", "proxy-authorization", "host"];

/** Throws a `TypeError` where `fetch` does. */
export async function createNextRequest(redirect: Redirect): Promise<Request> {
  const { request, status, redirects } = redirect;
  const { method, signal } = request;
  const url = readTarget(redirect);
  if (redirects === mostRedirects) {
    throw createNetworkError("fetch failed: too many redirects", { bun: "TooManyRedirects" });
  }
  const becomesGet = status === 303
    ? method !== "GET" && method !== "HEAD"
    : (status === 301 || status === 302) && method === "POST";
  const body = await readSentAgain(redirect, becomesGet);
  const headers = new Headers(request.headers);
  const removedHeaders = [
    ...becomesGet ? bodyHeaders : [],
    ...url.origin === new URL(request.url).origin ? [] : originHeaders,
  ];
  for (const name of removedHeaders) headers.delete(name);
  return new Request(url, { method: becomesGet ? "GET" : method, headers, signal, ...present({ body }) });
}

function readTarget({ request, location }: Redirect): URL {
  const target = URL.canParse(location ?? "", request.url) ? new URL(location ?? "", request.url) : undefined;
  const message = `fetch failed: ${withoutQuery(request.url)} redirects to ${
    target === undefined ? "an invalid URL" : withoutQuery(target.href)
  }`;
  if (request.redirect === "error") {
    throw createNetworkError(`${message}, and this request was made with redirect: "error"`, {
      bun: "UnexpectedRedirect",
    });
  }
  if (target === undefined) {
    const node = { name: "TypeError", code: "ERR_INVALID_URL" };
    throw createNetworkError(message, { bun: "RedirectURLInvalid", node });
  }
  if (target.protocol === "http:" || target.protocol === "https:") return target;
  throw createNetworkError(`${message}: expected an http or https URL`, {
    bun: "UnsupportedRedirectProtocol",
  });
}

/** Returns the body that is sent again, or `undefined` if there is none. Throws if the runtime could not send it. */
async function readSentAgain(
  { request, copy, body, status, redirects }: Redirect,
  becomesGet: boolean,
): Promise<ArrayBuffer | undefined> {
  if (copy === undefined || copy.body === null || status === 303) return undefined;
  const isOfStream = isStream(body) || isAsyncIterable(body) || isMadeOfStream(copy);
  const octets = await copy.arrayBuffer();
  // The body of a later request is one that this module has made.
  if (isOfStream || redirects === 0 && !becomesGet && isDetached(copy)) {
    throw createNetworkError(
      `fetch failed: ${withoutQuery(request.url)} redirects, and the fetch of this runtime cannot send ` +
        "this body again: send text or URLSearchParams",
    );
  }
  return becomesGet ? undefined : octets;
}

/** Runtimes beside a browser take it as a stream. */
function isAsyncIterable(body: unknown): boolean {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** The inside of a body on Deno, Node 20 and Node 22. The source is what the body was made of, or `null` for a stream. */
interface BodyInside {
  readonly source: unknown;
  readonly length: number | null;
}

function lookInside(copy: Request): BodyInside | undefined {
  const symbol = Object.getOwnPropertySymbols(copy)
    .find(({ description }) => description === "state" || description === "request");
  return symbol && Reflect.get(copy, symbol)?.body;
}

/**
 * No runtime sends a stream again (Fetch Standard §4.4). Node and browsers refuse a mode to a body of a stream, and to no
 * other body (Fetch Standard §5.4). A `Request` on Bun does not tell what its body was made of.
 */
function isMadeOfStream(copy: Request): boolean {
  if (lookInside(copy)?.source === null) return true;
  try {
    void new Request(copy.clone(), { method: "POST", mode: "no-cors" });
    return false;
  } catch {
    return true;
  }
}

/** Node 20 and 22 detach the octets of a body when they send it. */
function isDetached(copy: Request): boolean {
  const { source, length } = lookInside(copy) ?? {};
  return ArrayBuffer.isView(source) && source.byteLength === 0 && length !== 0;
}

/** Fetch Standard §2.2.3. A `Location` with any other status, such as 201, is no redirect. */
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
