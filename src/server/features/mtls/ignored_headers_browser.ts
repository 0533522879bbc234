/** No proxy is before a server inside a page, so no header is meant to have a certificate. */

export function noteIgnoredHeaders(): void {}
