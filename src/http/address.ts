/** The URL of a request, in parts. */

export interface Address {
  /** Scheme, host and port, as in the `Origin` header. */
  readonly origin: string;
  readonly host: string;
  readonly path: string;
  /** Without the question mark. Characters that a URL must not hold may be encoded; other text is as it came. */
  readonly query: string;
  /** The length of the whole URL as it came. */
  readonly length: number;
}

// OAuth 2.1 §1.7.1 asks for URIs of 8000 octets. An address may hold such a URI as a parameter.
export const longestUrl = 16_000;

/** `undefined`: not a valid http or https URL. */
export type ParseAddress = (url: string) => Address | undefined;

// URLs that a URL parser would not change: no dot segments, no escapes, nothing to encode, no control characters.
const plainUrl = /^(https?:\/\/[\w.:[\]-]+)((?:\/\.?[\w~-][\w.~-]*)*\/?)(?:\?([!"$-~\u00a0-\uffff]*))?$/;

// RFC 9110 §7.2, §4.2.4. Some runtimes put the Host header into the URL unchecked, and a user name there is an attack.
const startsPlainly = /^https?:\/\/[^/?#@\\]+([/?#]|$)/i;

// A URL parser removes these characters, so that two addresses would become one.
const losesCharacters = /\p{Cc}| $/u;

interface Origin {
  readonly written: string;
  readonly origin: string;
  readonly host: string;
}

/** For one listener: it keeps the latest origin, because nearly every request has the same. */
export function createAddressParser(): ParseAddress {
  let latest: Origin | undefined;
  return (url) => {
    const [, written, path, query = ""] = plainUrl.exec(url) ?? [];
    if (written === undefined || !path) return parseUnusual(url);
    if (latest?.written !== written) {
      const parsed = parseOrigin(written);
      if (parsed === undefined) return undefined;
      latest = parsed;
    }
    return { origin: latest.origin, host: latest.host, path, query, length: url.length };
  };
}

/** For a single address. */
export function parseAddress(url: string): Address | undefined {
  return createAddressParser()(url);
}

/** RFC 9112 §3.2: a name and perhaps a port. Anything else in a Host header could change the path of the URL. */
export function isHost(value: string): boolean {
  return /^(\[[\da-f:.]+\]|[\w.-]+)(:\d*)?$/i.test(value);
}

/** Whether a host, with or without a port, is a usual name of this machine. */
export function namesLoopback(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}

/** For messages, which end up in logs: a query or a fragment may hold codes and tokens. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

function parseUnusual(url: string): Address | undefined {
  if (!startsPlainly.test(url) || losesCharacters.test(url) || !URL.canParse(url)) return undefined;
  const { origin, host, pathname, search } = new URL(url);
  return { origin, host, path: pathname, query: search.slice(1), length: url.length };
}

function parseOrigin(written: string): Origin | undefined {
  const whole = `${written}/`;
  if (!URL.canParse(whole)) return undefined;
  const { origin, host } = new URL(whole);
  return { written, origin, host };
}

/** Without the prefix that a socket for IPv4 and IPv6 puts before an IPv4 address. */
export function plainIp(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** What counts as one peer: an IPv4 address, or the IPv6 /64 of one host (RFC 6177). Other text stays as it is. */
export function networkOf(address: string): string {
  const peer = plainIp(address);
  if (!peer.includes(":") || !URL.canParse(`http://[${peer}]`)) return peer;
  const [head = "", tail] = new URL(`http://[${peer}]`).hostname.slice(1, -1).split("::");
  const groups = head === "" ? [] : head.split(":");
  const ending = tail ? tail.split(":") : [];
  const zeros = Array<string>(tail === undefined ? 0 : 8 - groups.length - ending.length).fill("0");
  return [...groups, ...zeros, ...ending].slice(0, 4).join(":");
}
