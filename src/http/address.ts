/** Where a request goes: its URL in the parts that decide anything. */

export interface Address {
  /** Scheme, host and port, as in the `Origin` header. */
  readonly origin: string;
  readonly host: string;
  readonly path: string;
  /** Without the question mark, and as it came. */
  readonly query: string;
  /** How long the whole of it is. */
  readonly length: number;
}

// What a parser would leave as it is: no dot segments, no escapes, nothing to encode.
const plainUrl = /^(https?:\/\/[^/?#@\\]+)((?:\/\.?[\w~-][\w.~-]*)*\/?)(?:\?([^#]*))?$/;

// RFC 9110 §7.2, §4.2.4. Some runtimes take whatever the Host header holds, and a name before the host is an attack.
const startsPlainly = /^https?:\/\/[^/?#@\\]+([/?#]|$)/i;

interface Origin {
  readonly written: string;
  readonly origin: string;
  readonly host: string;
}

// Nearly every request goes to the same host as the one before it.
let latest: Origin | undefined;

/** `undefined`: not an address that anything here can be at. */
export function parseAddress(url: string): Address | undefined {
  const [, written, path, query = ""] = plainUrl.exec(url) ?? [];
  if (written === undefined || !path) return parseUnusual(url);
  if (latest?.written !== written) latest = parseOrigin(written) ?? latest;
  if (latest?.written !== written) return undefined;
  return { origin: latest.origin, host: latest.host, path, query, length: url.length };
}

function parseUnusual(url: string): Address | undefined {
  if (!startsPlainly.test(url) || !URL.canParse(url)) return undefined;
  const { origin, host, pathname, search } = new URL(url);
  return { origin, host, path: pathname, query: search.slice(1), length: url.length };
}

function parseOrigin(written: string): Origin | undefined {
  if (!URL.canParse(written)) return undefined;
  const { origin, host } = new URL(written);
  return { written, origin, host };
}
