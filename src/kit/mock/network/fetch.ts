/** A `fetch` that calls the server without a network. Responses, redirects and errors look like those of the real one. */

import { type Address, createAddressParser, withoutQuery } from "../../../ground/http/address.ts";
import { type AnswerBody, cancelBody, isStream } from "../../../ground/http/body.ts";
import type { Coding } from "../../../ground/http/content_coding.ts";
import {
  type Answer,
  FetchedRequest,
  type IncomingRequest,
  toResponse,
  untilAborted,
  withoutBody,
} from "../../../ground/http/message.ts";
import { findRuntimeName, type RuntimeName } from "../../../server/runtime/runtime_name.ts";
import { startRealTimer } from "../../../server/runtime/real_timer.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { createNextRequest, redirectStatuses } from "./create_next_request.ts";
import type { MockDispatcher } from "./dispatcher.ts";
import { AnswerLost, createBrokenConnection, createNetworkError } from "./network_error.ts";
import type { ShownCertificate } from "../../../server/shown_certificate.ts";
import { certificateOf, showCertificate } from "./show_certificate.ts";

interface FetchOptions {
  readonly ownOrigins: OwnOrigins;
  readonly answer: (request: IncomingRequest) => Promise<Answer>;
  /** They have other origins or other paths. A route of the test has one method. */
  readonly apis?: Apis;
  readonly fetchOther: (request: Request) => Promise<Response>;
}

/** The origins of which every request is for the mock, without those of APIs. */
export interface OwnOrigins {
  has(origin: string): boolean;
  readonly all: readonly string[];
}

export interface Apis {
  readonly origins: ReadonlySet<string>;
  find(address: Address, method: string): { answer(request: Request): Promise<Answer> } | undefined;
}

/** The type of `as.fetch`. It has one signature only, so that it is assignable to the types of client libraries. */
export type Fetch =
  & ((input: string | URL | Request, init?: FetchInit) => Promise<Response>)
  // Adds the members of the platform's fetch. On Bun, the type requires `preconnect`.
  & { readonly [member in keyof typeof fetch]: (typeof fetch)[member] };

/** A `RequestInit` whose members may be `undefined`, because client libraries pass such members. */
export type FetchInit =
  & { readonly [member in Exclude<keyof RequestInit, "body">]?: RequestInit[member] | undefined }
  & {
    readonly body?: RequestInit["body"] | Uint8Array;
    /** The certificate that the client shows (RFC 8705). */
    readonly certificate?: ShownCertificate | undefined;
  };

export interface ServingFetch {
  readonly fetch: Fetch;
  /** Lets undici send requests to the server without a socket. */
  readonly dispatcher: MockDispatcher;
  /** Allows the process to end although requests are running. */
  releaseProcess(): void;
}

export function createFetch(options: FetchOptions): ServingFetch {
  const parseAddress = createAddressParser();
  const hold = createProcessHold();
  const runtime = findRuntimeName();
  const serving = async (input: string | URL | Request, init?: FetchInit) => {
    const request = createRequest(input, init);
    showCertificate(request, init?.certificate);
    const call: Call = {
      runtime,
      body: init?.body,
      isAbortable: input instanceof Request || (init?.signal ?? undefined) !== undefined,
      send: (request) => sendTo(parseAddress(request.url), request, options, "fetch"),
    };
    try {
      return await hold.during(follow(request, call, start, options));
    } finally {
      // The caller cannot send the request again, although the server may not have read it.
      if (request === input && !request.bodyUsed) void request.body?.cancel().catch(() => {});
    }
  };
  const send = (request: Request) => sendTo(parseAddress(request.url), request, options, "dispatcher");
  return {
    fetch: Object.assign(serving, { preconnect }),
    dispatcher: {
      dispatch(request, handler) {
        void hold.during(dispatch(request, handler, send));
        return true;
      },
    } as MockDispatcher,
    releaseProcess: hold.end,
  };
}

/** Refuses what `fetch` refuses and a `Request` on Bun takes. */
function createRequest(input: string | URL | Request, init: FetchInit | undefined): Request {
  const isRequest = input instanceof Request;
  if (isRequest && input.bodyUsed) throw new TypeError("The body of this Request is already used");
  // A copy of a copy loses its body on Bun.
  const request = isRequest && init === undefined ? input : new Request(input, init as RequestInit);
  if (isBodiless(request) && hasBody(request)) {
    throw new TypeError(`A ${request.method} request cannot have a body`);
  }
  return request;
}

// Some browsers have no `body`, and refuse the body of such a request themselves.
const hasBody = ({ body }: Request) => (body ?? null) !== null;

const isBodiless = ({ method }: Request) => method === "GET" || method === "HEAD";

/** Does nothing, because this `fetch` has no connections. */
function preconnect(): void {}

interface Call {
  readonly runtime: RuntimeName;
  /** The body beside the URL or the request. */
  readonly body: unknown;
  readonly isAbortable: boolean;
  readonly send: (request: Request) => Promise<Answer>;
}

interface Way {
  readonly redirects: number;
  /** Whether a redirect has led to another origin. */
  readonly hasLeft: boolean;
}

// It imports node:http, with which Node loads a client for WebSocket.
const dispatch = lazy(async () => (await import("./dispatch.ts")).dispatch);

const start: Way = { redirects: 0, hasLeft: false };

async function sendTo(
  address: Address | undefined,
  request: Request,
  options: FetchOptions,
  sender: "fetch" | "dispatcher",
): Promise<Answer> {
  const { signal } = request;
  signal.throwIfAborted();
  const { answer, apis, ownOrigins } = options;
  const api = address && apis?.find(address, request.method);
  if (address === undefined || api === undefined && !ownOrigins.has(address.origin)) {
    const known = [...ownOrigins.all, ...apis?.origins ?? []];
    throw new TypeError(
      `This ${sender} answers for ${known.join(" and ")} only, not for ${withoutQuery(request.url)}: ` +
        `give the client another ${sender} for other servers, or use intercept(), which lets their requests pass`,
    );
  }
  const answering = api?.answer(request) ??
    answer(new FetchedRequest(request, address, false, () => undefined, certificateOf(request)));
  const answered = await abortable(answering, signal).catch((error) => {
    // The client has aborted the request and does not read the body.
    answering.then(({ body }) => cancelBody(body), () => {});
    throw error;
  });
  return request.method === "HEAD" ? withoutBody(answered) : answered;
}

async function follow(request: Request, call: Call, way: Way, options: FetchOptions): Promise<Response> {
  const { redirects, hasLeft } = way;
  // Sending consumes the body, and a redirect may send it again. On Bun, a copy loses its body after a look at it.
  const copy = isBodiless(request) || request.redirect !== "follow" ? undefined : request.clone();
  const answered = await call.send(request).catch(throwNetworkError);
  const { status } = answered;
  const isWhole = !call.isAbortable && !isStream(answered.body) &&
    answered.headers["content-encoding"] === undefined;
  const received = toResponse(isWhole ? answered : await receive(answered, request));
  const response = asFetched(received, request.url, way, call);
  const location = response.headers.get("location");
  const isReturned = request.redirect === "manual" || location === null && request.redirect === "follow";
  if (!redirectStatuses.has(status) || isReturned) return response;
  const next = await createNextRequest({ request, copy, body: call.body, status, location, redirects });
  const { origin } = new URL(next.url);
  const nextWay = { redirects: redirects + 1, hasLeft: hasLeft || origin !== new URL(request.url).origin };
  if (options.ownOrigins.has(origin) || options.apis?.origins.has(origin)) {
    return await follow(next, call, nextWay, options);
  }
  next.signal.throwIfAborted();
  const other = await options.fetchOther(next);
  return asFetched(other, other.url || next.url, nextWay, call);
}

/** Sets the members that a new Response does not have. */
function asFetched(response: Response, url: string, way: Way, call: Call): Response {
  // Takes the method from this response, because a response from another `fetch` may have another class.
  const { clone } = response;
  return Object.defineProperties(response, {
    url: { value: url.replace(/#.*/s, ""), configurable: true },
    redirected: { value: way.redirects > 0, configurable: true },
    type: { value: chooseType(way, call), configurable: true },
    clone: {
      value: () => asFetched(clone.call(response), url, way, call),
      configurable: true,
      writable: true,
    },
  });
}

/** Of the other runtimes, only Node knows an origin of the caller: that of the first URL. */
function chooseType({ hasLeft }: Way, { runtime }: Call): ResponseType {
  if (runtime === "bun") return "default";
  return runtime === "browser" || runtime === "node" && hasLeft ? "cors" : "basic";
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function throwNetworkError(error: unknown): never {
  if (!(error instanceof AnswerLost)) throw error;
  throw createBrokenConnection("fetch failed", error);
}

interface ProcessHold {
  /** Keeps the process alive until `work` settles, as an open socket would: the timers of `AbortSignal.timeout` do not. */
  during<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

// Seconds of real time. Longer than clients and test runners wait, and a limit if a hook never returns.
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

/** Decodes the body, which ends when the request is aborted. A stream that fails looks like a broken connection. */
// deno-lint-ignore require-await -- an error must be a rejection
async function receive(answer: Answer, request: Request): Promise<Answer> {
  if (answer.body === "") return answer;
  const listed = listCodings(answer);
  const { body } = untilAborted(answer, request);
  const reader = (listed.length === 0 ? streamOf(body) : decodeBody(body, listed)).getReader();
  const received = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        request.signal.throwIfAborted();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        const { aborted, reason } = request.signal;
        controller.error(aborted ? reason : createBrokenConnection("terminated", error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
    // The signal is looked at when the client reads.
  }, { highWaterMark: 0 });
  return { ...answer, body: received };
}

// The limit of Node's fetch.
const mostCodings = 5;

/** The fetch of the other runtimes leaves a body alone that was coded more than once. */
const listReaders: readonly RuntimeName[] = ["node", "browser"];

/** Returns the codings of the body in the order in which they were applied, or none if one is unknown (RFC 9110 §8.4). */
function listCodings({ headers }: Answer): readonly Coding[] {
  const names = `${headers["content-encoding"] ?? ""}`.toLowerCase().split(",").map((name) => name.trim());
  if (names.length > 1 && !listReaders.includes(findRuntimeName())) return [];
  if (names.length > mostCodings) {
    const cause = new Error(
      `too many content-encodings in response: ${names.length}, maximum allowed is ${mostCodings}`,
    );
    throw createNetworkError("fetch failed", { cause });
  }
  const listed = names.map((name) => codings.get(name));
  return listed.every((coding) => coding !== undefined) ? listed : [];
}

const codings = new Map<string, Coding>([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
]);

function decodeBody(body: AnswerBody, listed: readonly Coding[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { decompress } = await import("../../../ground/http/content_coding.ts");
      let octets: Uint8Array = new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
      for (const coding of listed.toReversed()) octets = await decompress(octets, coding);
      controller.enqueue(octets);
      controller.close();
    },
  });
}

function streamOf(body: AnswerBody): ReadableStream<Uint8Array> {
  return new Response(body as BodyInit).body ?? new ReadableStream();
}
