/** CORS headers for endpoints that scripts call. Every origin is allowed, and cookies are not (RFC 9700 §2.6). */

import { type Answer, type AnswerHeaders, withHeaders } from "./message.ts";

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

/**
 * The headers that a script may send. Clients need them for authentication, caches, MCP and tracing. The list is fixed,
 * because a script must not send headers that a proxy sets, such as X-Forwarded-For.
 */
const allowedHeaders: readonly string[] = [
  ...["accept", "accept-language", "authorization", "content-type", "dpop"],
  ...["auth0-client", "cache-control", "if-none-match", "pragma"],
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
