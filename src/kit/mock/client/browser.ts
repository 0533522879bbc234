/** The cookies of a browser that the test kit plays. */

/** A browser that the test kit plays. A person who signs in with this browser stays signed in. */
export interface Browser {
  /** The values of the cookies by name. */
  readonly cookies: Map<string, string>;
}

export function createBrowser(): Browser {
  return { cookies: new Map() };
}

export function formatCookies({ cookies }: Browser): string | undefined {
  if (cookies.size === 0) return undefined;
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

export function storeCookies({ cookies }: Browser, lines: readonly string[]): void {
  for (const line of lines) {
    const [pair = ""] = line.split(";");
    const equals = pair.indexOf("=");
    cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
}
