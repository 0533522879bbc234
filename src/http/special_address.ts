/** Classifies IP addresses by the IANA registries of special-purpose addresses (RFC 6890). */

/** `special` is every address that is neither public nor loopback: private, link-local, multicast, reserved. */
export type AddressKind = "public" | "loopback" | "special";

/** Classifies an address as a resolver or a URL writes it, without brackets. Other text is `special`. */
export function classifyAddress(address: string): AddressKind {
  return address.includes(":") ? classifyIpv6(address) : classifyIpv4(address);
}

const specialIpv4: readonly Range[] = [
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
].map((text) => readRange(text, readIpv4));

function classifyIpv4(address: string): AddressKind {
  const bits = readIpv4(address);
  if (bits === undefined) return "special";
  if (bits.startsWith("01111111")) return "loopback";
  return isIn(specialIpv4, bits) ? "special" : "public";
}

// RFC 4291 §2.4: only these addresses are global. ::ffff:0:0/96, 64:ff9b::/96 and fc00::/7 are outside.
const globalIpv6: readonly Range[] = ["2000::/3"].map((text) => readRange(text, readIpv6));

// Protocol assignments with Teredo, two ranges for documentation, and 6to4, which holds an IPv4 address.
const specialIpv6: readonly Range[] = [
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
].map((text) => readRange(text, readIpv6));

function classifyIpv6(address: string): AddressKind {
  const bits = readIpv6(address);
  if (bits === undefined) return "special";
  if (/^0{127}1$/.test(bits)) return "loopback";
  return isIn(globalIpv6, bits) && !isIn(specialIpv6, bits) ? "public" : "special";
}

/** The first bits of every address in a range, as text of 0 and 1. */
type Range = string;

function isIn(ranges: readonly Range[], bits: string): boolean {
  return ranges.some((range) => bits.startsWith(range));
}

function readRange(text: string, readBits: (address: string) => string | undefined): Range {
  const [address = "", length] = text.split("/");
  return readBits(address)!.slice(0, Number(length));
}

function readIpv4(address: string): string | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.map((part) => part.toString(2).padStart(8, "0")).join("");
}

function readIpv6(address: string): string | undefined {
  // A URL parser writes an IPv4 address at the end as hexadecimal groups. It accepts no zone such as %eth0.
  if (!URL.canParse(`http://[${address}]/`)) return undefined;
  const [head = "", tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const groups = [head, tail ?? ""].map((part) => part === "" ? [] : part.split(":"));
  const [before = [], after = []] = groups;
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after].map((group) => parseInt(group, 16).toString(2).padStart(16, "0"))
    .join("");
}
