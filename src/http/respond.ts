/** The few forms that an answer takes. All of them may hold something private, so none is cached unless it says so. */

import { answerHeaders, formPageHeaders, pageHeaders } from "./security_headers.ts";

type ExtraHeaders = Readonly<Record<string, string>>;

export interface AnswerTerms {
  readonly status?: number;
  readonly headers?: ExtraHeaders;
}

// RFC 6749 §5.1 asks for Pragma too; OAuth 2.1 dropped it; sending it is harmless.
const jsonHeaders = { ...answerHeaders, "content-type": "application/json", "pragma": "no-cache" };

const textOf = Symbol("text");

interface Written extends Response {
  [textOf]?: string;
}

/** Remembers the text that an answer was made of. */
function write(text: string, init: ResponseInit): Response {
  const response: Written = new Response(text, init);
  response[textOf] = text;
  return response;
}

/** The whole body, without reading it back from a stream: `undefined` when the answer was not made here. */
export function writtenText(response: Response): string | undefined {
  return response.body === null ? "" : (response as Written)[textOf];
}

export function json(body: unknown, { status = 200, headers }: AnswerTerms = {}): Response {
  return write(JSON.stringify(body), { status, headers: merged(jsonHeaders, headers) });
}

/** A JWT that stands for itself. */
export function jwt(text: string): Response {
  return new Response(text, { headers: { ...answerHeaders, "content-type": "application/jwt" } });
}

/** A page that only shows. */
export function page(html: string, { status = 200, headers }: AnswerTerms = {}): Response {
  return write(html, { status, headers: merged(pageHeaders, headers) });
}

/** A page with a form whose answer may lead to the client. */
export function formPage(html: string, { status = 200, headers }: AnswerTerms = {}): Response {
  return write(html, { status, headers: merged(formPageHeaders, headers) });
}

/** 303: whatever the method was, the browser goes on with GET and repeats no form (RFC 9700 §4.12). */
export function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { ...answerHeaders, location } });
}

export function empty(status: number, headers?: ExtraHeaders): Response {
  return new Response(null, { status, headers: merged(answerHeaders, headers) });
}

function merged(fixed: ExtraHeaders, extra: ExtraHeaders | undefined): ExtraHeaders {
  return extra === undefined ? fixed : { ...fixed, ...extra };
}
