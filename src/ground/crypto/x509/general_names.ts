/** Encodes the names and addresses of a certificate (RFC 5280 §4.2.1.6), and the limits of those that a CA may sign. */

import { ipOctets } from "../../values/ip_address.ts";
import { explicit, implicit, type Octets, sequence } from "./der.ts";

/** Host names, which include the names below them, and networks: `localhost`, `127.0.0.0/8`. */
export interface NameLimits {
  readonly permitted: readonly string[];
  readonly excluded?: readonly string[];
}

/** RFC 5280 §4.2.1.10 */
export function nameConstraints({ permitted, excluded = [] }: NameLimits): Octets {
  return sequence(
    ...[permitted, excluded].flatMap((subtrees, tag) =>
      subtrees.length === 0 ? [] : [explicit(tag, ...subtrees.map(subtree))]
    ),
  );
}

function subtree(text: string): Octets {
  const [address = "", bits] = text.split("/");
  if (bits === undefined) return sequence(alternativeName(text));
  const octets = ipOctets(address)!;
  const mask = octets.map((_, at) => 0xff00 >> Math.min(8, Math.max(0, Number(bits) - 8 * at)) & 0xff);
  return sequence(implicit(7, [...octets, ...mask]));
}

export function alternativeNames(hosts: readonly string[]): Octets {
  if (hosts.length === 0) {
    throw new TypeError('Cannot create a certificate without a host: name one, such as "localhost"');
  }
  return sequence(...hosts.map(alternativeName));
}

export interface ClientNames {
  readonly dns?: readonly string[];
  readonly uri?: readonly string[];
  readonly ip?: readonly string[];
  readonly email?: readonly string[];
}

/** Returns `undefined` if there are none. */
export function clientNames({ dns = [], uri = [], ip = [], email = [] }: ClientNames): Octets | undefined {
  const ascii = (tag: number, texts: readonly string[]) =>
    texts.map((text) => implicit(tag, new TextEncoder().encode(text)));
  const addresses = ip.map((text) => implicit(7, ipOctets(text) ?? refuseAddress(text)));
  const all = [...ascii(1, email), ...ascii(2, dns), ...ascii(6, uri), ...addresses];
  return all.length === 0 ? undefined : sequence(...all);
}

function refuseAddress(text: string): never {
  throw new TypeError(`Cannot create a certificate for ${JSON.stringify(text)}: expected an IP address`);
}

function alternativeName(host: string): Octets {
  const octets = ipOctets(host);
  if (octets !== undefined) return implicit(7, octets);
  // Refuses a name whose last label is a number, because the name is probably a mistyped IP address.
  if (/^(?:[\w-]{1,63}\.)*(?!\d+$)[\w-]{1,63}$/.test(host)) {
    return implicit(2, new TextEncoder().encode(host));
  }
  throw new TypeError(
    `Cannot create a certificate for ${JSON.stringify(host)}: expected a host name in ASCII, such as ` +
      '"localhost", or an IP address, such as "127.0.0.1" or "::1", without scheme, port and brackets',
  );
}
