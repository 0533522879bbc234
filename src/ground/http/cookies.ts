/** Names and writes the cookies of an issuer (RFC 6265). */

/** A browser sends the cookies of a host to all its ports, so each name contains `mark`, a hash of the issuer. */
export interface CookieJar {
  name(purpose: string): string;
  /** With `Strict`, browsers do not send it with a request that another site has caused, not even with a link. */
  set(purpose: string, value: string, sameSite?: "Lax" | "Strict"): string;
}

export function createCookieJar(issuer: { readonly secure: boolean; readonly mark: string }): CookieJar {
  const name = (purpose: string) => `${issuer.secure ? "__Host-" : ""}postern_${purpose}_${issuer.mark}`;
  const secure = issuer.secure ? "; Secure" : "";
  return {
    name,
    set: (purpose, value, sameSite = "Lax") =>
      `${name(purpose)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`,
  };
}
