/** The browser's own secret, in a cookie: each form is bound to it, so no other site can make one (RFC 9700 §4.7). */

import { readCookies } from "../../http/cookies.ts";
import { type Answer, withCookie } from "../../http/message.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import { createSecret } from "../tokens/credential.ts";

export interface Browser {
  readonly secret: string;
  /** Present when the browser does not have the cookie yet. */
  readonly setCookie?: string;
}

export function findBrowser(exchange: Exchange, { cookies }: Services): Browser | undefined {
  const [secret, ...others] = readCookies(exchange.request, cookies.name("browser"));
  // Two of one name: a neighbouring host planted one of them, and the server cannot tell which.
  return secret !== undefined && others.length === 0 && /^[A-Za-z0-9_-]{43}$/.test(secret)
    ? { secret }
    : undefined;
}

export function openBrowser(exchange: Exchange, services: Services): Browser {
  const known = findBrowser(exchange, services);
  if (known !== undefined) return known;
  const secret = createSecret(services.random);
  return { secret, setCookie: services.cookies.set("browser", secret) };
}

/** The cookie goes along where the browser does not have it yet. */
export function withBrowser(answer: Answer, { setCookie }: Pick<Browser, "setCookie">): Answer {
  return setCookie === undefined ? answer : withCookie(answer, setCookie);
}
