/** Cross-origin access for the endpoints that scripts call: any origin, never with cookies (RFC 9700 §2.6). */

/** `*` cannot be combined with credentials, so no browser sends a cookie along and nothing varies by origin. */
export function allowAnyOrigin(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", "www-authenticate, retry-after");
}

export function preflight(methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": "600",
    },
  });
}
