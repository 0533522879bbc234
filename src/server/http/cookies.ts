/** Names and writes the cookies of an issuer (RFC 6265). */

/**
 * The cookies of one issuer. A browser sends the cookies of a host to all of its ports. Each cookie name therefore
 * contains `mark`, a short hash of the issuer, so that two issuers on one host do not share cookies.
 */
export interface CookieJar {
  name(purpose: string): string;
  /**
   * Returns a Set-Cookie header for a session cookie that scripts cannot read. With `Strict`, browsers do not send it
   * with a request that another site has caused, not even with a link.
   */
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
