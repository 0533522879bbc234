/** The cookies of a service worker's server. The browser gives a worker none, so the store has them (RFC 6265bis §5.6). */

import { createBrowser, formatCookies, storeCookies } from "../../../kit/mock/client/browser.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { type Kind, never, type Store } from "../../../server/store/store.ts";
import type { Site } from "./incoming.ts";

interface Cookie {
  readonly value: string;
  readonly isStrict: boolean;
}

const kind: Kind<Cookie> = { name: "cookie" };

/** Returns the Cookie header that a browser would send. */
export async function findCookies(
  { mode, method, credentials, destination }: Request,
  site: Site,
  store: Store,
): Promise<string | undefined> {
  if (credentials === "omit") return undefined;
  const isCrossSite = site === "cross-site";
  // SameSite=Lax: with a link, and not with a form or in a frame.
  if (isCrossSite && !(mode === "navigate" && method === "GET" && destination === "document")) {
    return undefined;
  }
  const browser = createBrowser();
  for await (const { id, value: { value, isStrict } } of store.list!(kind)) {
    if (!isCrossSite || !isStrict) browser.cookies.set(id, value);
  }
  return formatCookies(browser);
}

export async function keepCookies({ headers }: Answer, store: Store): Promise<void> {
  for (const line of [headers["set-cookie"] ?? []].flat()) {
    const browser = createBrowser();
    storeCookies(browser, [line]);
    const isStrict = /; *SameSite=Strict/i.test(line);
    for (const [name, value] of browser.cookies) {
      await store.put(kind, name, { value, isStrict }, { now: 0, expiresAt: never });
    }
  }
}
