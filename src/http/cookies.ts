/** Reads the cookies of a request and writes new ones (RFC 6265). */

import type { IncomingRequest } from "./message.ts";

/** Returns the values of all cookies with this name. If there are several, another host has set one of them. */
export function readCookies(request: IncomingRequest, name: string): readonly string[] {
  const header = request.header("cookie");
  if (header === undefined) return [];
  return header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals !== -1 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
}

/** The cookies of one issuer. Cookies ignore ports, so the names hold a mark of the issuer. */
export interface CookieJar {
  name(purpose: string): string;
  /** Returns a Set-Cookie header for a session cookie that scripts cannot read. */
  set(purpose: string, value: string): string;
}

export function createCookieJar(at: { readonly secure: boolean; readonly mark: string }): CookieJar {
  const name = (purpose: string) => `${at.secure ? "__Host-" : ""}postern_${purpose}_${at.mark}`;
  const flags = `Path=/; HttpOnly; SameSite=Lax${at.secure ? "; Secure" : ""}`;
  return {
    name,
    set: (purpose, value) => `${name(purpose)}=${value}; ${flags}`,
  };
}
