/** Reads IP addresses as resolvers, URLs and people write them: without brackets. */

/** Returns the 4 or 16 octets of an address, or `undefined` for other text, such as an address with a zone. */
export function ipOctets(text: string): readonly number[] | undefined {
  return text.includes(":")
    ? ipv6Groups(text)?.flatMap((group) => [group >> 8, group & 0xff])
    : ipv4Octets(text);
}

/** Returns the address that has these octets in its canonical form, or `undefined` if there are not 4 or 16 of them. */
export function formatIp(octets: ArrayLike<number>): string | undefined {
  const all = Array.from(octets);
  if (all.length === 4) return all.join(".");
  if (all.length !== 16) return undefined;
  const groups = Array.from({ length: 8 }, (_, at) => (all[2 * at]! << 8 | all[2 * at + 1]!).toString(16));
  return canonicalIpv6(groups.join(":"));
}

/** Returns an address in its canonical form (RFC 5952), or `undefined` for other text. */
export function readIpAddress(text: string): string | undefined {
  const plain = plainIp(text);
  return plain.includes(":") ? canonicalIpv6(plain) : ipv4Octets(plain) && plain;
}

/** Removes the prefix `::ffff:`, which a socket for IPv4 and IPv6 puts before an IPv4 address. */
export function plainIp(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The network of one peer: an IPv4 address, or an IPv6 /64 (RFC 6177) with its zone (RFC 4007 §11). */
export function networkOf(address: string): string {
  const peer = plainIp(address);
  const [ip = "", zone] = peer.split("%");
  const groups = ipv6Groups(ip);
  if (groups === undefined) return peer;
  const network = groups.slice(0, 4).map((group) => group.toString(16)).join(":");
  return zone === undefined ? network : `${network}%${zone}`;
}

function ipv4Octets(text: string): readonly number[] | undefined {
  // Without leading zeros, which some programs read as octal numbers.
  if (!/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text)) return undefined;
  const octets = text.split(".").map(Number);
  return octets.every((octet) => octet <= 255) ? octets : undefined;
}

function ipv6Groups(text: string): readonly number[] | undefined {
  const [before, after] = canonicalIpv6(text)?.split("::").map(readGroups) ?? [];
  if (before === undefined || after === undefined) return before;
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function readGroups(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => parseInt(group, 16));
}

/** A URL parser writes an IPv4 address at the end as hexadecimal groups. */
function canonicalIpv6(text: string): string | undefined {
  const url = `http://[${text}]`;
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}
