/** Where a request goes: its URL in the parts that decide anything. */

export interface Address {
  /** Scheme, host and port, as in the `Origin` header. */
  readonly origin: string;
  readonly host: string;
  readonly path: string;
  /** Without the question mark. What a URL must not hold may be encoded by now; whatever was encoded is as it came. */
  readonly query: string;
  /** How long the whole of it was when it came. */
  readonly length: number;
}

// OAuth 2.1 §1.7.1 asks for 8000 octets; twice that leaves room for what stands around them.
export const longestUrl = 16_000;

/** `undefined`: not an address that anything here can be at. */
export type ParseAddress = (url: string) => Address | undefined;

// What a parser would leave as it is: no dot segments, no escapes, nothing to encode, no control characters.
const plainUrl = /^(https?:\/\/[\w.:[\]-]+)((?:\/\.?[\w~-][\w.~-]*)*\/?)(?:\?([!"$-~\u00a0-\uffff]*))?$/;

// RFC 9110 §7.2, §4.2.4. Some runtimes take whatever the Host header holds, and a name before the host is an attack.
const startsPlainly = /^https?:\/\/[^/?#@\\]+([/?#]|$)/i;

// A parser takes them out, so that two addresses would become one.
const losesCharacters = /\p{Cc}| $/u;

interface Origin {
  readonly written: string;
  readonly origin: string;
  readonly host: string;
}

/** One for each place that requests come in at: nearly every one goes to the same host as the one before it. */
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

/** RFC 9112 §3.2: a Host header that is one name and perhaps a port, and nothing that could move the path. */
export function isHost(value: string): boolean {
  return /^(\[[\da-f:.]+\]|[\w.-]+)(:\d*)?$/i.test(value);
}

/** Whether a URL's host, its port perhaps behind it, is this machine by a name that everybody has for it. */
export function namesLoopback(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}

/** Codes and tokens travel in queries and fragments, and messages end up in logs. */
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

/** What counts as one peer: an IPv4 address, or the /64 that one host has of IPv6 (RFC 6177). Other text is as it was. */
export function networkOf(address: string): string {
  const peer = plainIp(address);
  if (!peer.includes(":") || !URL.canParse(`http://[${peer}]`)) return peer;
  const [head = "", tail] = new URL(`http://[${peer}]`).hostname.slice(1, -1).split("::");
  const groups = head === "" ? [] : head.split(":");
  const ending = tail ? tail.split(":") : [];
  const zeros = Array<string>(tail === undefined ? 0 : 8 - groups.length - ending.length).fill("0");
  return [...groups, ...zeros, ...ending].slice(0, 4).join(":");
}
