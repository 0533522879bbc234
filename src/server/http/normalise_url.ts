/** Normalises the URL of a request, so that different spellings of one URL are equal (RFC 3986 §6.2.2, §6.2.3). */

/** Returns the URL without its query and fragment (RFC 9449 §4.3), or `undefined` if it is not an http or https URL. */
export function normaliseUrl(text: string): string | undefined {
  // RFC 3986 §2 has no such characters. The parser would remove them, or read a backslash as a slash.
  if (/[\\\s\p{Cc}]/u.test(text)) return undefined;
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return undefined;
  // The parser writes the scheme and the host in lower case, and removes the default port and dot segments.
  const { protocol, host, pathname, username, password } = new URL(text);
  if (username !== "" || password !== "") return undefined;
  return `${protocol}//${host}${pathname.replace(/%[\da-f]{2}/gi, normaliseEscape)}`;
}

/** Decodes an unreserved character, and writes other escapes in upper case. */
function normaliseEscape(escape: string): string {
  const character = String.fromCharCode(parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}
