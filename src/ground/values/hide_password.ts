/** The URL of a database, as a banner or an error may show it. */

/** Returns the URL without its password and its query: `postgres://user@host/database`. */
export function hidePassword(url: string): string {
  const [, scheme, rest] = /^([a-z+]+:\/\/)(.*)/is.exec(url) ?? [];
  if (scheme === undefined || rest === undefined) return url;
  // The text after the "@" is a host, or part of a secret in the query.
  if (/^[^?]*\?[^=]*=[^@]*@/.test(rest)) return `${scheme}…`;
  // The password may contain characters that belong encoded, so the last "@" ends it.
  const end = rest.lastIndexOf("@");
  const credentials = rest.slice(0, Math.max(end, 0));
  // People write redis://PASSWORD@host, although a password alone stands after a colon.
  const isPassword = scheme.startsWith("redis") && !credentials.includes(":");
  const user = isPassword ? "" : credentials.replace(/[:/?#@].*/s, "");
  return `${scheme}${user === "" ? "" : `${user}@`}${rest.slice(end + 1).replace(/[?#].*/s, "")}`;
}
