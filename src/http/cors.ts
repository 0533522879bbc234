/** CORS for the endpoints that scripts call: any origin, never with cookies (RFC 9700 §2.6). */

import { type Answer, type AnswerHeaders, withHeaders } from "./message.ts";

/** Headers of an answer that a script may read, beside those that the Fetch Standard always allows. */
const exposedHeaders: readonly string[] = ["dpop-nonce", "link", "retry-after", "www-authenticate"];

/** `*` excludes credentials, so browsers send no cookies. It is the same for each origin, so the answer needs no Vary. */
const anyOrigin: AnswerHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders.join(", "),
};

/** `added`: headers of this answer that a script may read as well. */
export function allowAnyOrigin(answer: Answer, added: AnswerHeaders | undefined): Answer {
  if (added === undefined) return withHeaders(answer, anyOrigin);
  const exposed = [...new Set([...exposedHeaders, ...Object.keys(added)])].join(", ");
  return withHeaders(answer, { ...anyOrigin, "access-control-expose-headers": exposed });
}

/**
 * Headers that clients send: for authentication and caches, of MCP clients, and of tracing tools, which add them to
 * every request. Requested headers are not echoed: a page must not set those of a proxy, such as X-Forwarded-For.
 */
const allowedHeaders: readonly string[] = [
  ...["accept", "accept-language", "authorization", "content-type", "dpop"],
  ...["cache-control", "if-none-match", "pragma"],
  ...["mcp-protocol-version", "user-agent", "x-requested-with"],
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
