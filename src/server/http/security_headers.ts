/** Headers against framing, sniffing, injected scripts and leaked addresses (RFC 9700 §4.2.4, §4.16). */

/** Leaves out `form-action` if the answer to a form may redirect to the client, because Chromium would block that. */
function contentSecurityPolicy(formAction: string | undefined, ...more: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    ...(formAction === undefined ? [] : [`form-action ${formAction}`]),
    ...more,
  ].join("; ");
}

const everywhere = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

export const answerHeaders: Readonly<Record<string, string>> = everywhere;

const pageBase = {
  ...everywhere,
  "content-type": "text/html; charset=utf-8",
  // Pages are in the language of the browser.
  "vary": "accept-language",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
};

export const pageHeaders: Readonly<Record<string, string>> = {
  ...pageBase,
  "content-security-policy": contentSecurityPolicy("'self'"),
};

export const formPageHeaders: Readonly<Record<string, string>> = {
  ...pageBase,
  "content-security-policy": contentSecurityPolicy(undefined),
};

/** Headers of a page whose forms and requests go to its own origin only. */
export const ownFormPageHeaders: Readonly<Record<string, string>> = {
  ...pageBase,
  // With `no-referrer`, browsers send `Origin: null` with a form, so its origin could not be checked.
  "referrer-policy": "same-origin",
  "content-security-policy": contentSecurityPolicy("'self'", "connect-src 'self'"),
};
