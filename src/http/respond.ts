/** The kinds of answers. Any of them may hold private data, so none is cached unless it says so. */

import type { Answer } from "./message.ts";
import { answerHeaders, formPageHeaders, pageHeaders } from "./security_headers.ts";

type ExtraHeaders = Readonly<Record<string, string>>;

export interface AnswerTerms {
  readonly status?: number;
  readonly headers?: ExtraHeaders;
}

// RFC 6749 §5.1 asks for Pragma as well. OAuth 2.1 does not, but it is harmless.
const jsonHeaders = { ...answerHeaders, "content-type": "application/json", "pragma": "no-cache" };

export function json(body: unknown, { status = 200, headers }: AnswerTerms = {}): Answer {
  return { status, headers: merged(jsonHeaders, headers), body: JSON.stringify(body) };
}

/** A JWT as the whole body. */
export function jwt(text: string): Answer {
  return { status: 200, headers: { ...answerHeaders, "content-type": "application/jwt" }, body: text };
}

/** A page without a form. */
export function page(html: string, { status = 200, headers }: AnswerTerms = {}): Answer {
  return { status, headers: merged(pageHeaders, headers), body: html };
}

/** A page with a form. The answer to the form may redirect to the client. */
export function formPage(html: string, { status = 200, headers }: AnswerTerms = {}): Answer {
  return { status, headers: merged(formPageHeaders, headers), body: html };
}

/** 303: after any method the browser goes on with GET and does not repeat the form (RFC 9700 §4.12). */
export function redirect(location: string): Answer {
  return { status: 303, headers: { ...answerHeaders, location }, body: "" };
}

export function empty(status: number, headers?: ExtraHeaders): Answer {
  return { status, headers: merged(answerHeaders, headers), body: "" };
}

function merged(fixed: ExtraHeaders, extra: ExtraHeaders | undefined): ExtraHeaders {
  return extra === undefined ? fixed : { ...fixed, ...extra };
}
