/** Answers the requests of undici without a socket, by the contracts for handlers of undici 6 and of later ones. */

import { Buffer } from "node:buffer";
import { STATUS_CODES } from "node:http";
import { stringify } from "node:querystring";
import { isStream } from "../../../ground/http/body.ts";
import {
  type Answer,
  type AnswerHeaders,
  emptied,
  mayHaveBody,
  untilAborted,
} from "../../../ground/http/message.ts";
import { tagOf } from "../../../ground/schema/json_object.ts";
import { AnswerLost, brokenSocket } from "./network_error.ts";
import type { DispatchOptions } from "./dispatcher.ts";

/** What undici 7 and later give a handler to control the request. */
interface DispatchController {
  readonly aborted: boolean;
  readonly reason: Error | null;
  readonly paused: boolean;
  /** Names and values in turn, as bytes. */
  rawHeaders: Uint8Array[];
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

/** Receives the response: the `DispatchHandler` of undici 7 and later. */
export interface DispatchHandler {
  onRequestStart?(controller: DispatchController, context: unknown): void;
  onResponseStart?(
    controller: DispatchController,
    status: number,
    headers: Record<string, string | string[]>,
    statusText?: string,
  ): void;
  onResponseData?(controller: DispatchController, chunk: Uint8Array): void;
  onResponseEnd?(controller: DispatchController, trailers: Record<string, string>): void;
  onResponseError?(controller: DispatchController, error: Error): void;
}

/** Receives the response: the handler of undici 6, and so of the `fetch` of Node 20 and 22. */
export interface OlderDispatchHandler {
  onConnect?(abort: (reason: Error) => void, context: unknown): void;
  onHeaders?(
    status: number,
    rawHeaders: Uint8Array[],
    resume: () => void,
    statusText: string,
  ): boolean | void;
  onData?(chunk: Uint8Array): boolean | void;
  onComplete?(trailers: Uint8Array[]): void;
  onError?(error: Error): void;
}

export async function dispatch(
  options: DispatchOptions,
  given: object,
  send: (request: Request) => Promise<Answer>,
): Promise<void> {
  const handler = "onRequestStart" in given ? given as DispatchHandler : adapt(given as OlderDispatchHandler);
  const controller = createController();
  try {
    handler.onRequestStart?.(controller, {});
    const request = createRequest(options, controller.signal);
    const answer = await send(request);
    await deliver(untilAborted(answer, request), handler, controller);
  } catch (error) {
    handler.onResponseError?.(controller, controller.reason ?? asSocketError(error));
  }
}

interface Controller extends DispatchController {
  readonly signal: AbortSignal;
  /** Resolves when the handler takes more data. Rejects if it has aborted. */
  whenReady(): Promise<void>;
}

function createController(): Controller {
  const abortion = new AbortController();
  const { signal } = abortion;
  let paused = false;
  let goOn = () => {};
  return {
    signal,
    get aborted() {
      return signal.aborted;
    },
    get reason() {
      return signal.aborted ? signal.reason as Error : null;
    },
    get paused() {
      return paused;
    },
    rawHeaders: [],
    abort(reason) {
      abortion.abort(reason);
      goOn();
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      goOn();
    },
    async whenReady() {
      if (paused && !signal.aborted) await new Promise<void>((resolve) => goOn = resolve);
      signal.throwIfAborted();
    },
  };
}

/** Lets a handler of undici 6 take part. It pauses by what it returns. */
function adapt(older: OlderDispatchHandler): DispatchHandler {
  const pauseIf = (isFull: boolean, controller: DispatchController) => isFull && controller.pause();
  return {
    onRequestStart: (controller, context) => older.onConnect?.((reason) => controller.abort(reason), context),
    onResponseStart(controller, status, _headers, statusText = "") {
      const taken = older.onHeaders?.(status, controller.rawHeaders, () => controller.resume(), statusText);
      pauseIf(taken === false, controller);
    },
    onResponseData: (controller, chunk) => pauseIf(older.onData?.(chunk) === false, controller),
    onResponseEnd: () => older.onComplete?.([]),
    onResponseError: (_controller, error) => older.onError?.(error),
  };
}

function createRequest(
  { origin = "", path, method, headers, body, query }: DispatchOptions,
  signal: AbortSignal,
): Request {
  const more = stringify(query as Parameters<typeof stringify>[0]);
  const separator = more === "" ? "" : path.includes("?") ? "&" : "?";
  // Not as a reference relative to the origin, because a path such as //elsewhere would choose another host.
  const url = new URL(origin).origin + path + separator + more;
  const terms = { method, headers: [...listHeaders(headers)], body: toBody(body), duplex: "half", signal };
  return new Request(url, terms as RequestInit);
}

/** Lists the headers, which undici takes as an object, as pairs, or as names and values in turn. */
function* listHeaders(headers: unknown): Iterable<[name: string, value: string]> {
  const pairs: Iterable<readonly [unknown, unknown]> = !Array.isArray(headers)
    ? isIterable(headers) ? headers as Iterable<[unknown, unknown]> : Object.entries(headers ?? {})
    : headers.flatMap((name, at) => at % 2 === 0 ? [[name, headers[at + 1]] as const] : []);
  for (const [name, values] of pairs) {
    for (const value of [values].flat()) if (value !== undefined) yield [`${name}`, `${value}`];
  }
}

/** Returns a body that a `Request` takes. undici also takes Node's streams, iterables, and a `FormData` of its own. */
function toBody(body: unknown): BodyInit | null {
  if (body === null || body === undefined) return null;
  const tag = tagOf(body);
  if (tag === "FormData") {
    const form = new FormData();
    for (const [name, value] of body as FormData) form.append(name, value as string);
    return form;
  }
  const isWhole = typeof body === "string" || ArrayBuffer.isView(body) || wholeBodies.has(tag);
  return isWhole || !isIterable(body) ? body as BodyInit : streams.from(listBytes(body));
}

/** Node 20 has it, and its types lack it. */
const streams = ReadableStream as unknown as { from<T>(source: AsyncIterable<T>): ReadableStream<T> };

const wholeBodies: ReadonlySet<string> = new Set(["ArrayBuffer", "Blob", "File", "URLSearchParams"]);

async function* listBytes(chunks: Chunks): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

function isIterable(value: unknown): value is Chunks {
  return Symbol.asyncIterator in Object(value) || Symbol.iterator in Object(value);
}

async function deliver(answer: Answer, handler: DispatchHandler, controller: Controller): Promise<void> {
  const { status, headers, body } = mayHaveBody(answer.status) ? answer : emptied(answer);
  controller.rawHeaders = listRaw(headers);
  handler.onResponseStart?.(controller, status, toMutable(headers), STATUS_CODES[status] ?? "");
  const chunks = isStream(body) ? body : body === "" ? [] : [Buffer.from(body)];
  for await (const chunk of chunks) {
    await controller.whenReady();
    // undici reads the chunks as Buffers.
    handler.onResponseData?.(controller, Buffer.from(chunk));
  }
  await controller.whenReady();
  handler.onResponseEnd?.(controller, {});
}

function listRaw(headers: AnswerHeaders): Uint8Array[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [Buffer.from(name, "latin1"), Buffer.from(value, "latin1")])
  );
}

function toMutable(headers: AnswerHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );
}

function asSocketError(error: unknown): Error {
  if (!(error instanceof AnswerLost)) return error as Error;
  return Object.assign(new Error("other side closed", { cause: error }), brokenSocket);
}
