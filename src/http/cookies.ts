/** Reads the cookies of a request and writes new ones (RFC 6265). */

import type { IncomingRequest } from "./message.ts";

/** The values with this name. A second one was planted by another host. */
export function readCookies(request: IncomingRequest, name: string): readonly string[] {
  const header = request.header("cookie");
  if (header === undefined) return [];
  return header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals !== -1 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
}

/** The cookies of one issuer. Cookies ignore ports, so their names hold a mark; `__Host-` exists on https only. */
export interface CookieJar {
  name(purpose: string): string;
  /** A session cookie for this host that scripts cannot read. */
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
