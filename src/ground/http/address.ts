/** Splits and compares the URLs of requests, and tells where hosts are. */

import { bitsOf, classifyAddress, ranges } from "./special_address.ts";

/** The URL of a request, in the parts that the server uses. */
export interface Address {
  /** Scheme, host and port, as in the `Origin` header. */
  readonly origin: string;
  readonly host: string;
  readonly path: string;
  /** The query without the question mark. Escapes in the query are not decoded. */
  readonly query: string;
  /** The length of the URL in characters, before parsing. */
  readonly length: number;
}

// In characters. OAuth 2.1 §1.7.1 requires support for URIs of 8000 octets, and a URL may hold such a URI.
export const longestUrl = 16_000;

/** Parses a URL. Returns `undefined` if the URL is not a valid http or https URL. */
export type ParseAddress = (url: string) => Address | undefined;

// Matches URLs that `new URL()` would not change, so that the slower `new URL()` is not needed.
const plainUrl = /^(https?:\/\/[\w.:[\]-]+)((?:\/\.?[\w~-][\w.~-]*)*\/?)(?:\?([!"$-~\u00a0-\uffff]*))?$/;

// RFC 9110 §4.2.4, §7.2. Some runtimes put the Host header into the URL unchecked. A user name there is an attack.
const startsPlainly = /^https?:\/\/[^/?#@\\]+([/?#]|$)/i;

// `new URL()` removes these characters, so two different URLs would become equal.
const losesCharacters = /\p{Cc}| $/u;

interface Origin {
  readonly written: string;
  readonly origin: string;
  readonly host: string;
}

/** Returns a parser that keeps the latest origin, because nearly all requests of a listener have the same one. */
export function createAddressParser(): ParseAddress {
  let latest: Origin | undefined;
  return (url) => {
    // Bun's regular expressions take long for a path with many segments. The server refuses such a URL anyway.
    const plain = url.length > longestUrl ? undefined : plainUrl.exec(url);
    const [, written, path, query = ""] = plain ?? [];
    if (written === undefined || !path) return parseUnusual(url);
    if (latest?.written !== written) {
      const parsed = parseOrigin(written);
      if (parsed === undefined) return undefined;
      latest = parsed;
    }
    return { origin: latest.origin, host: latest.host, path, query, length: url.length };
  };
}

export function parseAddress(url: string): Address | undefined {
  return createAddressParser()(url);
}

/** Whether a Host header is a name with an optional port (RFC 9112 §3.2). Other text could change the URL's path. */
export function isHost(value: string): boolean {
  return /^(\[[\da-f:.]+\]|[\w.-]+)(:\d*)?$/i.test(value);
}

/** Whether a host, with or without a port, is a loopback name or address. */
export function namesLoopback(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}

/** Whether a host, with or without a port, is an IP address, as URL parsers write it. */
export function namesIpAddress(host: string): boolean {
  return /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])(:\d+)?$/.test(host);
}

/** Whether the host of a URL is a loopback address, or a name that always leads to this machine (RFC 6761 §6.3). */
export function namesThisMachine(hostname: string): boolean {
  if (/^(.+\.)?localhost$/.test(hostname)) return true;
  const literal = readLiteral(hostname);
  return literal !== undefined && classifyAddress(literal) === "loopback";
}

/** Returns the host of a URL, without brackets, if it is an address and not a name. */
export function readLiteral(hostname: string): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^[\d.]+$/.test(hostname) ? hostname : undefined;
}

export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Whether only programs on this machine can connect to a server that listens on the host, which has no brackets. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

export function pathAndQuery({ path, query }: Pick<Address, "path" | "query">): string {
  return query === "" ? path : `${path}?${query}`;
}

/** Returns `undefined` if the text is not percent-encoded UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Removes the query and the fragment, which may hold codes and tokens, from a URL in an error message. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

function parseUnusual(url: string): Address | undefined {
  if (!startsPlainly.test(url) || losesCharacters.test(url) || !URL.canParse(url)) return undefined;
  const { origin, host, pathname, search } = new URL(url);
  // Chromium escapes a space in a host. No host has an escape (WHATWG URL §3.1).
  if (host.includes("%")) return undefined;
  return { origin, host, path: pathname, query: search.slice(1), length: url.length };
}

function parseOrigin(written: string): Origin | undefined {
  const whole = `${written}/`;
  if (!URL.canParse(whole)) return undefined;
  const { origin, host } = new URL(whole);
  return { written, origin, host };
}

// A name without a dot is a name of the local network, for example of a container. The public DNS has none of the others.
const privateName =
  /^(?:[a-z0-9_-]+|(?:[a-z0-9_-]+\.)+(?:localhost|test|example|invalid|local|internal|home\.arpa))$/;

// RFC 1918, RFC 6598 (the addresses of overlay networks), RFC 4193, and those of this machine.
const isPrivateAddress = ranges(
  ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "127.0.0.0/8"],
);

/** A private address or a name that no public server can have (RFC 6761, RFC 6762, RFC 8375, and `.internal`). */
export function isPrivateHost(hostname: string): boolean {
  const literal = readLiteral(hostname);
  return literal === undefined ? privateName.test(hostname) : isPrivateAddress(bitsOf(literal) ?? "");
}

/** Without query and fragment (RFC 9449 §4.3). Spellings of one URL are equal (RFC 3986 §6.2.2, §6.2.3). */
export function normaliseUrl(text: string): string | undefined {
  // RFC 3986 §2 has no such characters. The parser would remove them, or read a backslash as a slash.
  if (/[\\\s\p{Cc}]/u.test(text)) return undefined;
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return undefined;
  // The parser writes the scheme and the host in lower case, and removes the default port and dot segments.
  const { protocol, host, pathname, username, password } = new URL(text);
  if (username !== "" || password !== "") return undefined;
  return `${protocol}//${host}${pathname.replace(/%[\da-f]{2}/gi, normaliseEscape)}`;
}

/** RFC 3986 §6.2.2: an escape is needed only for a character that is not unreserved, and has capital letters. */
export function normaliseEscape(escape: string): string {
  const character = String.fromCharCode(parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}

/** Whether a text is an absolute URI, which has a scheme and no fragment (RFC 3986 §4.3), and which the platform can parse. */
export function isAbsoluteUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(text) && !text.includes("#") && URL.canParse(text);
}
