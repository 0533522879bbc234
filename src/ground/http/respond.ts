/** Creates the usual kinds of answers, with headers against caches, frames and scripts (RFC 9700 §4.2.4, §4.16). */

import { type Answer, type AnswerHeaders, type IncomingRequest, withHeaders } from "./message.ts";

type ExtraHeaders = Readonly<Record<string, string>>;

/** Leaves out `form-action` if the answer to a form may redirect to the client, because Chromium would block that. */
function contentSecurityPolicy(
  formAction: string | undefined,
  ancestors = "'none'",
  ...more: readonly string[]
): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${ancestors}`,
    ...(formAction === undefined ? [] : [`form-action ${formAction}`]),
    ...more,
  ].join("; ");
}

export const answerHeaders: ExtraHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const pageBase = {
  ...answerHeaders,
  "content-type": "text/html; charset=utf-8",
  // Pages are in the language of the browser.
  "vary": "accept-language",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
};

const pageHeaders = {
  ...pageBase,
  "content-security-policy": contentSecurityPolicy("'self'"),
};

const formPageHeaders = {
  ...pageBase,
  "content-security-policy": contentSecurityPolicy(undefined),
};

const ownFormPageHeaders = {
  ...pageBase,
  // With `no-referrer`, browsers send `Origin: null` with a form, so its origin could not be checked.
  "referrer-policy": "same-origin",
  "content-security-policy": contentSecurityPolicy("'self'", undefined, "connect-src 'self'"),
};

export interface AnswerOptions {
  readonly status?: number;
  readonly headers?: ExtraHeaders;
}

// RFC 6749 §5.1 requires Pragma. OAuth 2.1 does not, but the header is harmless.
const jsonHeaders = { ...answerHeaders, "content-type": "application/json", "pragma": "no-cache" };

export function json(body: unknown, { status = 200, headers }: AnswerOptions = {}): Answer {
  return { status, headers: merged(jsonHeaders, headers), body: JSON.stringify(body) };
}

export function jwt(text: string, type: string = "application/jwt"): Answer {
  return { status: 200, headers: { ...answerHeaders, "content-type": type }, body: text };
}

/** Creates an answer with a page whose only form, the search, goes to its own origin. */
export function page(html: string, { status = 200, headers }: AnswerOptions = {}): Answer {
  return { status, headers: merged(pageHeaders, headers), body: html };
}

/** Creates an answer with a page that has a form. The answer to the form may be a redirect to the client. */
export function formPage(html: string, { status = 200, headers }: AnswerOptions = {}): Answer {
  return { status, headers: merged(formPageHeaders, headers), body: html };
}

/** Creates an answer with a page that pages of this origin may frame, or open in a window. */
export function messagePage(html: string, origin: string): Answer {
  const { "x-frame-options": _frames, "cross-origin-opener-policy": _openers, ...headers } = pageBase;
  const policy = contentSecurityPolicy("'none'", origin);
  return { status: 200, headers: { ...headers, "content-security-policy": policy }, body: html };
}

/** Creates an answer with a page whose forms and requests go to its own origin only. */
export function ownFormPage(html: string, status = 200): Answer {
  return { status, headers: ownFormPageHeaders, body: html };
}

/** Redirects with 303, so the browser uses GET and does not send a form again (RFC 9700 §4.12). */
export function redirect(location: string): Answer {
  return { status: 303, headers: { ...answerHeaders, location }, body: "" };
}

export function empty(status: number, headers?: ExtraHeaders): Answer {
  return { status, headers: merged(answerHeaders, headers), body: "" };
}

function merged(fixed: ExtraHeaders, extra: ExtraHeaders | undefined): ExtraHeaders {
  return extra === undefined ? fixed : { ...fixed, ...extra };
}

/** The headers that a script may read, besides those that the Fetch Standard always allows. */
const exposedHeaders: readonly string[] = ["dpop-nonce", "link", "retry-after", "www-authenticate"];

/** With `*`, browsers send no cookies. The value is the same for every origin, so the answer needs no Vary header. */
const anyOrigin: AnswerHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders.join(", "),
};

/** Adds the CORS headers. A script may also read the headers in `added`. */
export function allowAnyOrigin(answer: Answer, added: AnswerHeaders | undefined): Answer {
  if (added === undefined) return withHeaders(answer, anyOrigin);
  const exposed = [...new Set([...exposedHeaders, ...Object.keys(added)])].join(", ");
  return withHeaders(answer, { ...anyOrigin, "access-control-expose-headers": exposed });
}

/** Those that clients need. A script must not send headers that a proxy sets, such as X-Forwarded-For. */
const allowedHeaders: readonly string[] = [
  ...["accept", "accept-language", "authorization", "content-type", "dpop"],
  ...["auth0-client", "cache-control", "if-none-match", "pragma"],
  ...["mcp-protocol-version", "user-agent", "x-okta-user-agent-extended", "x-requested-with"],
  // The libraries of AWS send these.
  ...["amz-sdk-invocation-id", "amz-sdk-request", "x-amz-target", "x-amz-user-agent"],
  ...["baggage", "sentry-trace", "traceparent", "tracestate"],
];

export function preflight(methods: string): Answer {
  return {
    status: 204,
    headers: {
      "access-control-allow-methods": methods,
      "access-control-allow-headers": allowedHeaders.join(", "),
      "access-control-max-age": "600",
    },
    body: "",
  };
}

/** A file that changes rarely. Browsers cache it and revalidate it with the ETag (RFC 9110 §13.1.2). */
export interface StaticFile {
  readonly type: string;
  readonly text: string;
  /** The ETag including its quotes (RFC 9110 §8.8.3). */
  readonly etag: string;
}

/** The media type of a file of pages, by its ending. */
export function typeOfFile(name: string): string {
  if (name.endsWith(".css")) return "text/css; charset=utf-8";
  return name.endsWith(".svg") ? "image/svg+xml" : "text/javascript; charset=utf-8";
}

export function serveStatic(request: IncomingRequest, file: StaticFile, maxAge: number): Answer {
  const headers = {
    "cache-control": maxAge === 0 ? "no-cache" : `public, max-age=${maxAge}`,
    "content-type": file.type,
    "etag": file.etag,
    "x-content-type-options": "nosniff",
  };
  return matchesEtag(request, file.etag)
    ? { status: 304, headers, body: "" }
    : { status: 200, headers, body: file.text };
}

function matchesEtag(request: IncomingRequest, etag: string): boolean {
  const known = request.header("if-none-match");
  return known !== undefined &&
    known.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, "")));
}
