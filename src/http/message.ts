/** Requests and answers as plain values. Only `fetch` handlers and Bun need `Request` and `Response`. */

import { type Address, type ParseAddress, parseAddress, withoutQuery } from "./address.ts";
import { type AnswerBody, cancelBody, isAnswerBody, isStream, lengthOf } from "./answer_body.ts";
import { type Body, readBody } from "./body.ts";

/** A request, from any listener. */
export interface IncomingRequest {
  readonly method: string;
  readonly address: Address;
  /** The client's IP address: that of the socket, or the one that a trusted proxy names. */
  readonly peer: string | undefined;
  /** By its name in lower case. Several lines with one name are joined by commas. */
  header(name: string): string | undefined;
  headers(): readonly Header[];
  /** Can be called once. */
  readBody(limit: number): Promise<Body>;
}

/** One header line. */
export type Header = readonly [name: string, value: string];

/** An answer before it is written. */
export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: AnswerBody;
}

/** Names in lower case; several values are several lines. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Callers with many requests pass a parser that they keep. */
export function fromRequest(
  request: Request,
  peer: string | undefined,
  parse: ParseAddress = parseAddress,
): IncomingRequest {
  requireRequest(request);
  const address = parse(request.url);
  if (address === undefined) {
    throw new TypeError(
      `Cannot answer a request for ${withoutQuery(request.url)}: expected an http or https URL`,
    );
  }
  return new FetchedRequest(request, address, peer !== undefined, () => peer);
}

/** A program without types may pass what the global `fetch` takes. */
function requireRequest(request: unknown): void {
  const url: unknown = typeof request === "object" && request !== null && Reflect.get(request, "url");
  if (typeof url === "string") return;
  const came = typeof request === "string" ? "text" : request instanceof URL ? "a URL" : "something else";
  throw new TypeError(`Cannot answer ${came}: expected a Request, such as new Request("https://id.test/")`);
}

/** A request from a `Request`. A class, because there is one for every request. */
export class FetchedRequest implements IncomingRequest {
  readonly #request: Request;
  readonly #isFramed: boolean;
  readonly #findPeer: () => string | undefined;
  readonly address: Address;

  /** `isFramed`: the request came over a socket. The peer is looked up when a step needs it. */
  constructor(request: Request, address: Address, isFramed: boolean, findPeer: () => string | undefined) {
    this.#request = request;
    this.#isFramed = isFramed;
    this.#findPeer = findPeer;
    this.address = address;
  }

  get method(): string {
    return this.#request.method;
  }

  get peer(): string | undefined {
    return this.#findPeer();
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  headers(): readonly Header[] {
    return [...this.#request.headers];
  }

  readBody(limit: number): Promise<Body> {
    return readBody(this.#request, limit, this.#isFramed);
  }
}

export function toResponse(answer: Answer): Response {
  const { status, headers, body } = mayHaveBody(answer.status) ? answer : emptied(answer);
  return new Response(body === "" ? null : body as BodyInit, { status, headers: toHeadersInit(headers) });
}

/** A stream ends with the request's signal: its source is cancelled, and its reader gets the signal's reason. */
export function untilAborted(answer: Answer, request: Request): Answer {
  const { body } = answer;
  return isStream(body)
    ? { ...answer, body: body.pipeThrough(new TransformStream(), { signal: request.signal }) }
    : answer;
}

/** RFC 9110 §15.3.5, §15.3.6, §15.4.5: with some statuses no body is sent. */
export function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

/** The answer to HEAD (RFC 9110 §9.3.2): the headers of GET, with the length of its body if that is known. */
export function withoutBody(answer: Answer): Answer {
  const { status, headers, body } = answer;
  const length = headers["content-length"] ?? lengthOf(body);
  return body === "" || length === undefined || !mayHaveBody(status)
    ? emptied(answer)
    : { ...emptied(answer), headers: { ...headers, "content-length": `${length}` } };
}

/** Without the body, and without its length. */
export function emptied(answer: Answer): Answer {
  cancelBody(answer.body);
  return { ...answer, body: "" };
}

/** Why no listener can send this answer; `undefined` if it can be sent. */
export function findUnsendable({ status, headers, body }: Answer): string | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    return `Cannot send an answer with status ${status}: expected a whole number from 200 to 599`;
  }
  if (!isAnswerBody(body)) {
    return `Cannot send a body of type ${typeof body}: expected a string, a Uint8Array or a ReadableStream`;
  }
  for (const [name, value] of listHeaders(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      return `Cannot send a header named ${JSON.stringify(name)}: expected letters, digits and hyphens`;
    }
    if (!/^[\t -~\u0080-\u00ff]*$/.test(value)) {
      return `Cannot send the header ${name}: its value holds a line break, another control character or one ` +
        "beyond Latin-1; encode it first";
    }
  }
  return undefined;
}

function toHeadersInit(headers: AnswerHeaders): [string, string][] | Record<string, string> {
  // Runtimes read a record fastest, and few answers have a header twice.
  const isPlain = Object.values(headers).every((value) => typeof value === "string");
  return isPlain
    ? headers as Record<string, string>
    : listHeaders(headers).map(([name, value]): [string, string] => [name, value]);
}

/** One line for each value. */
export function listHeaders(headers: AnswerHeaders): readonly Header[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): Header => [name, value])
  );
}

export function withHeaders(answer: Answer, headers: AnswerHeaders): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** Adds a cookie (RFC 6265 §3). */
export function withCookie(answer: Answer, cookie: string): Answer {
  const before = answer.headers["set-cookie"] ?? [];
  return withHeaders(answer, { "set-cookie": [before, cookie].flat() });
}
