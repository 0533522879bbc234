/**
 * A `fetch` that calls the server directly instead of using a network. Responses, redirects, aborts and broken
 * connections look like those of the real `fetch`.
 */

import { type Address, createAddressParser, withoutQuery } from "../../http/address.ts";
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
import { mostRedirects, readLocation, redirectRequest, redirectStatuses } from "./redirect.ts";

export interface FetchTerms {
  /** The origin that this fetch answers for. */
  readonly origin: () => string;
  readonly answer: (request: IncomingRequest) => Promise<Answer>;
  /** The APIs in the test, which have other origins or other paths. */
  readonly apis?: Apis;
  /** Sends a request to another origin, after a redirect. */
  readonly fetchOther: (request: Request) => Promise<Response>;
}

/** The APIs in a test. */
export interface Apis {
  readonly origins: ReadonlySet<string>;
  find(address: Address): { answer(request: Request): Promise<Answer> } | undefined;
}

/** The type of `as.fetch`. It has one signature only, so that it is assignable to the types of client libraries. */
export type Fetch =
  & ((input: string | URL | Request, init?: FetchInit) => Promise<Response>)
  // Adds the members of the platform's fetch. On Bun, the type requires `preconnect`.
  & { readonly [member in keyof typeof fetch]: (typeof fetch)[member] };

/** A `RequestInit` whose members may be `undefined`, because client libraries pass such members. */
export type FetchInit =
  & { readonly [member in Exclude<keyof RequestInit, "body">]?: RequestInit[member] | undefined }
  & { readonly body?: RequestInit["body"] | Uint8Array };

export interface ServingFetch {
  readonly fetch: Fetch;
  /** Allows the process to end although requests are running. */
  releaseProcess(): void;
}

export function createFetch(terms: FetchTerms): ServingFetch {
  const parseAddress = createAddressParser();
  const hold = createProcessHold();
  const send: Send = (request) => sendTo(parseAddress(request.url), request, terms);
  const serving = async (input: string | URL | Request, init?: FetchInit) =>
    await hold.during(follow(new Request(input, init as RequestInit), 0, send, terms));
  return { fetch: Object.assign(serving, { preconnect }), releaseProcess: hold.end };
}

/** Does nothing, because this `fetch` has no connections. */
function preconnect(): void {}

type Send = (request: Request) => Promise<Answer>;

async function sendTo(
  address: Address | undefined,
  request: Request,
  { origin, answer, apis }: FetchTerms,
): Promise<Answer> {
  const { signal } = request;
  signal.throwIfAborted();
  const api = address && apis?.find(address);
  if (address === undefined || api === undefined && address.origin !== origin()) {
    throw new TypeError(
      `This fetch answers for ${[origin(), ...apis?.origins ?? []].join(" and ")} only, not for ${
        withoutQuery(request.url)
      }: ` +
        "give the client another fetch for other servers, or use intercept(), which lets their requests pass",
    );
  }
  const answering = api?.answer(request) ??
    answer(new FetchedRequest(request, address, false, () => undefined));
  const answered = await abortable(answering, signal).catch((error) => {
    // The client has aborted the request and does not read the body.
    answering.then(({ body }) => cancelBody(body), () => {});
    throw error;
  });
  return untilAborted(answered, request);
}

async function follow(
  request: Request,
  redirects: number,
  send: Send,
  terms: FetchTerms,
): Promise<Response> {
  // Copies the request, because sending consumes the body, and a redirect with 307 or 308 sends the body again.
  const requestCopy = request.body === null || request.redirect !== "follow" ? undefined : request.clone();
  const answered = toResponse(await send(request).catch(throwNetworkError));
  const response = withUrl(answered, request.url, redirects > 0);
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
  const next = await redirectRequest(request, requestCopy, response.status, url);
  if (url.origin === terms.origin() || terms.apis?.origins.has(url.origin)) {
    return await follow(next, redirects + 1, send, terms);
  }
  next.signal.throwIfAborted();
  const other = await terms.fetchOther(next);
  return withUrl(other, other.url || url.href, true);
}

/** Sets `url` and `redirected`, which a new Response does not have and which clients read. */
function withUrl(response: Response, url: string, redirected: boolean): Response {
  // Takes the method from this response, because a response from another `fetch` may have another class.
  const { clone } = response;
  return Object.defineProperties(response, {
    url: { value: url.replace(/#.*$/, ""), configurable: true },
    redirected: { value: redirected, configurable: true },
    clone: {
      value: () => withUrl(clone.call(response), url, redirected),
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

/** Throws the error that `fetch` throws for a broken connection. */
function throwNetworkError(error: unknown): never {
  throw error instanceof AnswerLost ? new TypeError("fetch failed", { cause: error }) : error;
}

interface ProcessHold {
  /**
   * Keeps the process alive until `work` settles, as an open socket would. Without it, the process could end while a
   * client waits with `AbortSignal.timeout`, whose timers do not keep a process alive.
   */
  during<T>(work: Promise<T>): Promise<T>;
  /** Stops keeping the process alive. */
  end(): void;
}

// Seconds of real time. Longer than clients and test runners wait. The limit lets the process end if a hook never
// returns.
const longestHold = 60;

function createProcessHold(): ProcessHold {
  const holds = new Set<() => void>();
  return {
    async during(work) {
      const release = startRealTimer(longestHold, () => {});
      holds.add(release);
      try {
        return await work;
      } finally {
        release();
        holds.delete(release);
      }
    },
    end: () => holds.forEach((release) => release()),
  };
}
