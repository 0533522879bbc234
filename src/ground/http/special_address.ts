/** Classifies IP addresses by the IANA registries of special-purpose addresses (RFC 6890). */

import { formatIp, ipOctets } from "../values/ip_address.ts";

/** `special` is every address that is neither public nor loopback: private, link-local, multicast, reserved. */
export type AddressKind = "public" | "loopback" | "special";

/** Classifies an address as a resolver or a URL writes it, without brackets. Other text is `special`. */
export function classifyAddress(address: string): AddressKind {
  const bits = bitsOf(address);
  if (bits === undefined) return "special";
  if (bits.length === 32) return classifyIpv4(bits);
  const kind = classifyIpv6(bits);
  const leadsElsewhere = kind === "public" &&
    listIpv4In(address).some((each) => classifyAddress(each) !== kind);
  return leadsElsewhere ? "special" : kind;
}

const specialIpv4 = ranges(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
);

function classifyIpv4(bits: string): AddressKind {
  if (bits.startsWith("01111111")) return "loopback";
  return specialIpv4(bits) ? "special" : "public";
}

// RFC 4291 §2.4: only these addresses are global. ::ffff:0:0/96, 64:ff9b::/96 and fc00::/7 are outside.
const globalIpv6 = ranges("2000::/3");

// Protocol assignments with Teredo, two ranges for documentation, and 6to4, which holds an IPv4 address.
const specialIpv6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

function classifyIpv6(bits: string): AddressKind {
  if (/^0{127}1$/.test(bits)) return "loopback";
  return globalIpv6(bits) && !specialIpv6(bits) ? "public" : "special";
}

/** The forms of IPv6 addresses with an IPv4 address inside, in hexadecimal, and the octet at which it begins. */
const formsWithIpv4: readonly (readonly [form: RegExp, at: number, inverted?: boolean])[] = [
  // RFC 4291 §2.5.5: compatible and mapped. RFC 2765 §2.1: translated. RFC 6052 §2.1: of NAT64.
  [/^(0{24}|0{20}ffff|0{16}ffff0000|0064ff9b0{16})/, 12],
  // RFC 3056 §2: 6to4.
  [/^2002/, 2],
  // RFC 4380 §4: the server of Teredo, and the client.
  [/^20010000/, 4],
  [/^20010000/, 12, true],
  // RFC 5214 §6.1: ISATAP, below any prefix.
  [/^.{16}0[02]005efe/, 12],
];

/** Returns the IPv4 addresses in an IPv6 address. The system, a tunnel or a translator may send to them instead. */
export function listIpv4In(address: string): readonly string[] {
  const octets = ipOctets(address);
  if (octets?.length !== 16) return [];
  const text = octets.map((octet) => octet.toString(16).padStart(2, "0")).join("");
  return formsWithIpv4.filter(([form]) => form.test(text)).map(([, at, inverted = false]) =>
    formatIp(octets.slice(at, at + 4).map((octet) => inverted ? octet ^ 0xff : octet))!
  );
}

/** Returns a function that tells whether an address is in one of the ranges. It reads the ranges at its first call. */
export function ranges(...texts: readonly string[]): (bits: string) => boolean {
  let prefixes: readonly string[] | undefined;
  return (bits) => {
    prefixes ??= texts.map((text) => {
      const [address = "", length] = text.split("/");
      return bitsOf(address)!.slice(0, Number(length));
    });
    return prefixes.some((prefix) => bits.startsWith(prefix));
  };
}

export function bitsOf(address: string): string | undefined {
  return ipOctets(address)?.map((octet) => octet.toString(2).padStart(8, "0")).join("");
}
