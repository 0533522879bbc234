/** `fetch` without a network: the same responses, redirects, aborts and broken connections, without a socket. */

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
  /** Sends a request that is redirected to another origin. */
  readonly elsewhere: (request: Request) => Promise<Response>;
}

/** A `fetch` for clients. It has one signature only, so that it fits the type of every client library. */
export type Fetch =
  & ((input: string | URL | Request, init?: FetchInit) => Promise<Response>)
  // On Bun `typeof fetch` requires `preconnect`.
  & { readonly [member in keyof typeof fetch]: (typeof fetch)[member] };

/** `RequestInit` as client libraries write it: members may be undefined. */
export type FetchInit =
  & { readonly [member in Exclude<keyof RequestInit, "body">]?: RequestInit[member] | undefined }
  & { readonly body?: RequestInit["body"] | Uint8Array };

export interface ServingFetch {
  readonly fetch: Fetch;
  /** Lets the process end although requests are running. */
  letGo(): void;
}

export function createFetch(terms: FetchTerms): ServingFetch {
  const parseAddress = createAddressParser();
  const hold = createProcessHold();
  const send: Send = (request) => sendTo(parseAddress(request.url), request, terms);
  const serving = async (input: string | URL | Request, init?: FetchInit) =>
    await hold.during(follow(new Request(input, init as RequestInit), 0, send, terms));
  return { fetch: Object.assign(serving, { preconnect }), letGo: hold.end };
}

/** There is nothing to connect to. */
function preconnect(): void {}

type Send = (request: Request) => Promise<Answer>;

async function sendTo(
  address: Address | undefined,
  request: Request,
  { origin, answer }: FetchTerms,
): Promise<Answer> {
  const { signal } = request;
  signal.throwIfAborted();
  if (address?.origin !== origin()) {
    throw new TypeError(
      `This fetch answers for ${origin()} only, not for ${withoutQuery(request.url)}: ` +
        "give the client another fetch for other servers, or use intercept(), which lets their requests pass",
    );
  }
  const answering = answer(new FetchedRequest(request, address, false, () => undefined));
  const answered = await abortable(answering, signal).catch((error) => {
    // The client has gone and reads nothing more.
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
  // Sending reads the body, and a 307 needs it again.
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
  const next = await redirectRequest(request, kept, response.status, url);
  if (url.origin === terms.origin()) return await follow(next, redirects + 1, send, terms);
  next.signal.throwIfAborted();
  const other = await terms.elsewhere(next);
  return describe(other, other.url || url.href, true);
}

/** Clients read `url` and `redirected`, which a response that is made here does not have. */
function describe(response: Response, url: string, redirected: boolean): Response {
  // The method of this response: one from elsewhere may be of another class.
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

/** How a broken connection looks to a caller of `fetch`. */
function asNetworkError(error: unknown): never {
  throw error instanceof AnswerLost ? new TypeError("fetch failed", { cause: error }) : error;
}

interface ProcessHold {
  /** Keeps the process alive as a socket would. The timers of `AbortSignal.timeout` do not. */
  during<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

// Seconds of real time: longer than clients and test runners wait, and an end if a hook never returns.
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
