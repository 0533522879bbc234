/** Requests and answers as plain values, which are much faster on Node than `Request` and `Response`. */

import { type Address, type ParseAddress, parseAddress, withoutQuery } from "./address.ts";
import { utf8Of } from "../values/octets.ts";
import {
  type AnswerBody,
  type Body,
  cancelBody,
  isAnswerBody,
  isStream,
  lengthOf,
  readBody,
} from "./body.ts";

/** A request that the server answers. */
export interface IncomingRequest {
  /** The id that its journal entry gets. Only a request that the server sends to itself has one. */
  readonly id?: string;
  readonly method: string;
  readonly address: Address;
  /** The IP address of the client. It comes from the socket, or from a proxy that the server trusts. */
  readonly peer: string | undefined;
  /** What the client has shown of itself at a listener that asks for certificates. Absent: the listener asks for none. */
  readonly certificate?: PeerCertificate | undefined;
  /** Returns a header. The name must be in lower case. Several lines with one name are joined by commas. */
  header(name: string): string | undefined;
  headers(): readonly Header[];
  /** Reads the body. A second call is not possible. */
  readBody(limit: number): Promise<Body>;
  /** Whether the client has closed the connection. Absent: the request came without one. */
  hasLeft?(): boolean;
}

/** The certificate of a client. Nothing is known but that the client holds its key. */
export interface PeerCertificate {
  /** The certificates in DER: that of the client, and those that the client has sent with it. Empty: they are unreadable. */
  readonly chain: readonly Uint8Array[];
  /** The header of a proxy that has the certificate. Absent: the client has shown it in the handshake of TLS. */
  readonly header?: string;
  /** The runtime has not checked that the client holds the key. The chain is empty. */
  readonly isUnproven?: true;
}

/** A header line: the name in lower case, and the value. */
export type Header = readonly [name: string, value: string];

/** An answer that a listener can write. */
export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: AnswerBody;
}

/** The headers by their names in lower case. A list of values becomes several lines. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The `fetch` that a developer gives, for the requests of the server to other servers. */
export type FetchOthers = (input: string | Request, init?: RequestInit) => Promise<Response>;

/** Wraps a `Request`. A caller with many requests should pass one `parse` for all of them. */
export function fromRequest(
  request: Request,
  peer: string | undefined,
  parse: ParseAddress = parseAddress,
  certificate?: PeerCertificate,
): IncomingRequest {
  requireRequest(request);
  const address = parse(request.url);
  if (address === undefined) {
    throw new TypeError(
      `Cannot answer a request for ${withoutQuery(request.url)}: expected an http or https URL`,
    );
  }
  return new FetchedRequest(request, address, peer !== undefined, () => peer, certificate);
}

/** Throws if a program without types passes a URL or other arguments of the global `fetch`. */
function requireRequest(request: unknown): void {
  const url: unknown = typeof request === "object" && request !== null && Reflect.get(request, "url");
  if (typeof url === "string") return;
  const received = typeof request === "string" ? "text" : request instanceof URL ? "a URL" : "something else";
  throw new TypeError(
    `Cannot answer ${received}: expected a Request, such as new Request("https://id.test/")`,
  );
}

/** Wraps a `Request`. It is a class because that is the fastest way to create one object for each request. */
export class FetchedRequest implements IncomingRequest {
  readonly #request: Request;
  readonly #isFramed: boolean;
  readonly #findPeer: () => string | undefined;

  /** `isFramed` says that the request came over a socket. `findPeer` is called only when a step needs the peer. */
  constructor(
    request: Request,
    readonly address: Address,
    isFramed: boolean,
    findPeer: () => string | undefined,
    readonly certificate?: PeerCertificate | undefined,
  ) {
    this.#request = request;
    this.#isFramed = isFramed;
    this.#findPeer = findPeer;
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

  hasLeft(): boolean {
    return this.#request.signal.aborted;
  }
}

/** Returns a copy with other members, and without a certificate. A spread would leave out what the class of a request has. */
export function changeRequest(request: IncomingRequest, changes: Partial<IncomingRequest>): IncomingRequest {
  return {
    method: request.method,
    address: request.address,
    peer: request.peer,
    header: (name) => request.header(name),
    headers: () => request.headers(),
    readBody: (limit) => request.readBody(limit),
    hasLeft: () => request.hasLeft?.() === true,
    ...changes,
  };
}

export function toResponse(answer: Answer): Response {
  const { status, headers, body } = mayHaveBody(answer.status) ? answer : emptied(answer);
  // A Response adds a type to text that has none, but not to bytes.
  const sent = typeof body === "string" && headers["content-type"] === undefined ? utf8Of(body) : body;
  return new Response(body === "" ? null : sent as BodyInit, { status, headers: toHeadersInit(headers) });
}

/** Cancels the stream of an answer when the signal of the request aborts. Other answers are unchanged. */
export function untilAborted(answer: Answer, request: Request): Answer {
  const { body } = answer;
  return isStream(body)
    ? { ...answer, body: body.pipeThrough(new TransformStream(), { signal: request.signal }) }
    : answer;
}

/** Whether an answer with this status may have a body (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
export function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

/** Returns the answer to HEAD: the headers that GET gets, with the length of the body if known (RFC 9110 §9.3.2). */
export function withoutBody(answer: Answer): Answer {
  const { status, headers, body } = answer;
  const length = headers["content-length"] ?? lengthOf(body);
  return body === "" || length === undefined || !mayHaveBody(status)
    ? emptied(answer)
    : { ...emptied(answer), headers: { ...headers, "content-length": `${length}` } };
}

/** Removes the body, and cancels it if it is a stream. */
export function emptied(answer: Answer): Answer {
  cancelBody(answer.body);
  return { ...answer, body: "" };
}

/** The pattern of a token: the name of a header or of a method (RFC 9110 §5.6.2). */
export const tokenPattern = "[\\w!#$%&'*+.^`|~-]+";

const wholeToken = new RegExp(`^${tokenPattern}$`);

export function isToken(text: string): boolean {
  return wholeToken.test(text);
}

/** Returns why a listener cannot send the answer, or `undefined` if it can. */
export function findUnsendable({ status, headers, body }: Answer): string | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    return `Cannot send an answer with status ${status}: expected a whole number from 200 to 599`;
  }
  if (!isAnswerBody(body)) {
    return `Cannot send a body of type ${typeof body}: expected a string, a Uint8Array or a ReadableStream`;
  }
  for (const [name, value] of listHeaders(headers)) {
    if (!isToken(name)) {
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
  // A record is faster than a list, and few answers have several lines for one header.
  const isPlain = Object.values(headers).every((value) => typeof value === "string");
  return isPlain ? headers as Record<string, string> : listHeaders(headers) as [string, string][];
}

/** Returns one line for each value. Every request calls it, and loops make a tenth of the garbage of `flatMap`. */
export function listHeaders(headers: AnswerHeaders): readonly Header[] {
  const lines: Header[] = [];
  for (const name of Object.keys(headers)) {
    const values = headers[name]!;
    if (typeof values === "string") lines.push([name, values]);
    else for (const value of values) lines.push([name, value]);
  }
  return lines;
}

export function withHeaders(answer: Answer, headers: AnswerHeaders): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** This server sets one value for each name. A related host, such as a sibling subdomain, may have set others. */
export function readCookies(request: IncomingRequest, name: string): readonly string[] {
  const header = request.header("cookie");
  if (header === undefined) return [];
  return header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals !== -1 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
}

/** Adds a Set-Cookie header, if there is a cookie, and keeps the ones that the answer has (RFC 6265 §3). */
export function withCookie(answer: Answer, cookie: string | undefined): Answer {
  if (cookie === undefined) return answer;
  const before = answer.headers["set-cookie"];
  return withHeaders(answer, { "set-cookie": before === undefined ? cookie : [before, cookie].flat() });
}

/** Browsers ask for HTML, and programs usually do not. */
export function acceptsHtml(request: IncomingRequest): boolean {
  return request.header("accept")?.includes("text/html") === true;
}
