/** The browser of a test: its cookies, which the kit keeps as a browser would. */

import type { Answer } from "../../http/message.ts";

/** One browser: a person who signs in with it stays signed in. */
export interface Browser {
  /** Values by name. */
  readonly cookies: Map<string, string>;
}

export function createBrowser(): Browser {
  return { cookies: new Map() };
}

/** The value of a `Cookie` header; `undefined` without cookies. */
export function formatCookies({ cookies }: Browser): string | undefined {
  if (cookies.size === 0) return undefined;
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

export function keepCookies({ cookies }: Browser, { headers }: Answer): void {
  for (const cookie of [headers["set-cookie"] ?? []].flat()) {
    const [pair = ""] = cookie.split(";");
    const equals = pair.indexOf("=");
    cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
}
