/** The secret of a browser, in a cookie. Each form is bound to it, so that no other site can create one (RFC 9700 §4.7). */

import { decryptText, encryptText } from "../../../ground/crypto/encrypted_text.ts";
import { readCookies } from "../../../ground/http/message.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";
import { createSecret } from "../secrets/credential.ts";

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

/** Encrypts a value that opens only for the same purpose and with the secret of the same browser. */
export async function encryptForBrowser(
  value: object,
  purpose: string,
  { secret }: Pick<Browser, "secret">,
  { keys, random }: Services,
): Promise<string> {
  return await encryptText(await keys.encryptionKey(), JSON.stringify(value), `${purpose} ${secret}`, random);
}

/** Opens an encrypted value. Resolves to `undefined` if the purpose or the browser differs, or if the text was changed. */
export async function openForBrowser<Value>(
  encrypted: string | undefined,
  purpose: string,
  browser: Pick<Browser, "secret"> | undefined,
  { keys }: Services,
): Promise<Value | undefined> {
  const text = encrypted && browser &&
    await decryptText(await keys.encryptionKey(), encrypted, `${purpose} ${browser.secret}`);
  return text ? JSON.parse(text) as Value : undefined;
}
