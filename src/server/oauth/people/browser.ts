/** The secret of a browser, in a cookie. Each form is bound to it, so that no other site can create one (RFC 9700 §4.7). */

import { readCookies } from "../../http/message.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../feature.ts";
import { createSecret } from "../credential.ts";

export interface Browser {
  readonly secret: string;
  /** The `set-cookie` header. Present only if the browser does not have the cookie yet. */
  readonly setCookie?: string;
}

export function findBrowser(exchange: Pick<Exchange, "request">, { cookies }: Services): Browser | undefined {
  const [secret, ...others] = readCookies(exchange.request, cookies.name("browser"));
  // If two cookies have this name, another host of the same domain set one of them. The server cannot tell which.
  return secret !== undefined && others.length === 0 && /^[A-Za-z0-9_-]{43}$/.test(secret)
    ? { secret }
    : undefined;
}

export function openBrowser(exchange: Pick<Exchange, "request">, services: Services): Browser {
  const known = findBrowser(exchange, services);
  if (known !== undefined) return known;
  const secret = createSecret(services.random);
  return { secret, setCookie: services.cookies.set("browser", secret) };
}
