/** Cross-origin access for the endpoints that scripts call: any origin, never with cookies (RFC 9700 §2.6). */

import type { Answer, AnswerHeaders } from "./message.ts";

/** `*` cannot be combined with credentials, so no browser sends a cookie along and nothing varies by origin. */
export const anyOrigin: AnswerHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "www-authenticate, retry-after",
};

export function preflight(methods: string): Answer {
  return {
    status: 204,
    headers: {
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": "600",
    },
    body: "",
  };
}
