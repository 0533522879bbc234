/** Writes a Cookie header (RFC 6265 §4.2). */
export function formatCookies(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}
