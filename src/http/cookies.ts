/** Cookies: reading what a browser sends, writing what it shall keep (RFC 6265). */

import type { IncomingRequest } from "./message.ts";

/** The values sent under this name. More than one means that somebody planted one beside ours. */
export function readCookies(request: IncomingRequest, name: string): readonly string[] {
  const header = request.header("cookie");
  if (header === undefined) return [];
  return header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals !== -1 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
}

/** Names and flags that fit one origin: cookies ignore ports, and `__Host-` exists on https only. */
export interface CookieJar {
  name(purpose: string): string;
  /** A cookie that lives as long as the browser runs, for this host, out of reach of scripts. */
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
