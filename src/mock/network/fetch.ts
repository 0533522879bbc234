/** `fetch` without a network: the same answers, redirects, aborts and broken connections, and no socket. */

import { createAddressParser, withoutQuery } from "../../http/address.ts";
import { cancelBody } from "../../http/answer_body.ts";
import {
  type Answer,
  FetchedRequest,
  type IncomingRequest,
  toResponse,
  untilAborted,
} from "../../http/message.ts";
import { startRealTimer } from "../../runtime/real_timer.ts";
import { AnswerLost } from "./answer_lost.ts";

export interface FetchTerms {
  /** What it answers for. */
  readonly origin: () => string;
  /** By where the request goes. */
  readonly answer: (request: IncomingRequest) => Promise<Answer>;
  /** Whoever is redirected elsewhere goes there by this one. */
  readonly elsewhere: (request: Request) => Promise<Response>;
}

/** What clients take instead of the global one: one signature, so that it fits each of them. */
export type Fetch =
  & ((input: string | URL | Request, init?: FetchInit) => Promise<Response>)
  // On Bun `typeof fetch` requires `preconnect`.
  & { readonly [member in keyof typeof fetch]: (typeof fetch)[member] };

/** As loose as clients write it: a member that is undefined was not said. */
export type FetchInit =
  & { readonly [member in Exclude<keyof RequestInit, "body">]?: RequestInit[member] | undefined }
  & { readonly body?: RequestInit["body"] | Uint8Array };

// As browsers and servers count (Fetch Standard §4.4).
const mostRedirects = 20;

/** Fetch Standard §2.2.3; others with a location, such as 201, lead nowhere. */
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

// Fetch Standard §2.2.5 "request-body-header name", and the length, which some runtimes let through.
const bodyHeaders = ["content-encoding", "content-language", "content-location", "content-type"]
  .concat("content-length");

// Meant for the origin that they were given to, as servers' own fetch takes it.
const ownHeaders = ["authorization", "cookie", "proxy-authorization", "host"];

export interface ServingFetch {
  readonly fetch: Fetch;
  /** Stops keeping the process alive for requests that are still under way. */
  letGo(): void;
}

export function createFetch({ origin, answer, elsewhere }: FetchTerms): ServingFetch {
  const parseAddress = createAddressParser();
  const awake = new Set<() => void>();

  async function send(request: Request): Promise<Answer> {
    request.signal.throwIfAborted();
    const address = parseAddress(request.url);
    if (address?.origin !== origin()) {
      throw new TypeError(
        `This fetch answers for ${origin()}, and was asked for ${withoutQuery(request.url)}: ` +
          "give the client another one for other servers, or use intercept(), which lets them pass",
      );
    }
    const answering = answer(new FetchedRequest(request, address, false, () => undefined));
    const { signal } = request;
    return untilAborted(
      await abortable(answering, signal).catch((error) => {
        // The client is gone and does not read what may still come.
        answering.then(({ body }) => cancelBody(body), () => {});
        throw error;
      }),
      request,
    );
  }

  async function follow(request: Request, redirects: number): Promise<Response> {
    // What is sent is read, and a 307 asks for it once more.
    const kept = request.body === null || request.redirect !== "follow" ? undefined : request.clone();
    const answered = toResponse(await send(request).catch(asNetworkError));
    const response = describe(answered, request.url, redirects > 0);
    const location = response.headers.get("location");
    if (location === null || !redirectStatuses.has(response.status) || request.redirect === "manual") {
      return response;
    }
    const url = readLocation(location, request.url);
    if (request.redirect === "error") {
      throw new TypeError(
        `fetch failed: ${withoutQuery(request.url)} redirects to ${withoutQuery(url.href)}, ` +
          'and this request was made with redirect: "error"',
      );
    }
    if (redirects === mostRedirects) throw new TypeError("fetch failed: too many redirects");
    const next = await redirect(request, kept, response.status, url);
    if (url.origin === origin()) return await follow(next, redirects + 1);
    next.signal.throwIfAborted();
    const other = await elsewhere(next);
    return describe(other, other.url || url.href, true);
  }

  /** Keeps the process alive as a socket would: the timers that people give up by, AbortSignal.timeout's, do not. */
  async function keepAwake<T>(work: Promise<T>): Promise<T> {
    const letSleep = startRealTimer(longestWait, () => {});
    awake.add(letSleep);
    try {
      return await work;
    } finally {
      letSleep();
      awake.delete(letSleep);
    }
  }

  const serving = async (input: string | URL | Request, init?: FetchInit) =>
    await keepAwake(follow(new Request(input, init as RequestInit), 0));
  return {
    fetch: Object.assign(serving, { preconnect }),
    letGo: () => awake.forEach((letSleep) => letSleep()),
  };
}

/** There is nothing to connect to. */
function preconnect(): void {}

// Seconds of real time: more than a client or a runner waits, and an end where a hook never returns.
const longestWait = 60;

/** Fetch Standard §4.4, HTTP-redirect fetch. */
async function redirect(
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
    ...url.origin === new URL(request.url).origin ? [] : ownHeaders,
  ];
  for (const name of dropped) headers.delete(name);
  if (becomesGet) return new Request(url, { headers, signal });
  const body = kept === undefined ? {} : { body: await kept.arrayBuffer() };
  return new Request(url, { method, headers, signal, ...body });
}

function readLocation(location: string, base: string): URL {
  if (URL.canParse(location, base)) return new URL(location, base);
  throw new TypeError(`fetch failed: ${withoutQuery(base)} redirects to what is no URL`);
}

/** A response that was made here has no URL, and knows nothing of the way to it; clients look at both. */
function describe(response: Response, url: string, redirected: boolean): Response {
  // Its own: whoever goes elsewhere may bring responses of another class.
  const { clone } = response;
  return Object.defineProperties(response, {
    url: { value: url.replace(/#.*$/, ""), configurable: true },
    redirected: { value: redirected, configurable: true },
    clone: {
      value: () => describe(clone.call(response), url, redirected),
      configurable: true,
      writable: true,
    },
  });
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** What a broken connection looks like to a caller of `fetch`. */
function asNetworkError(error: unknown): never {
  throw error instanceof AnswerLost ? new TypeError("fetch failed", { cause: error }) : error;
}
