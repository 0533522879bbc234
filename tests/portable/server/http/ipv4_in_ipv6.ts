/** The forms of IPv6 addresses that have an IPv4 address inside, as functions of it. */

type Form = (ipv4: string) => string;

const hex = (...octets: readonly number[]) =>
  octets.map((octet) => octet.toString(16).padStart(2, "0")).join("");

/** Writes an IPv4 address as two groups. Each octet can be changed first. */
function groupsOf(ipv4: string, change = (octet: number) => octet): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number).map(change);
  return `${hex(a, b)}:${hex(c, d)}`;
}

export const formsWithIpv4: Readonly<Record<string, Form>> = {
  "mapped (RFC 4291 §2.5.5.2)": (ipv4) => `::ffff:${ipv4}`,
  "mapped, in groups": (ipv4) => `0:0:0:0:0:FFFF:${groupsOf(ipv4)}`,
  "compatible (RFC 4291 §2.5.5.1)": (ipv4) => `::${groupsOf(ipv4)}`,
  "translated (RFC 2765 §2.1)": (ipv4) => `::ffff:0:${ipv4}`,
  "NAT64 (RFC 6052 §2.1)": (ipv4) => `64:ff9b::${ipv4}`,
  "6to4 (RFC 3056 §2)": (ipv4) => `2002:${groupsOf(ipv4)}::1`,
  "the server of Teredo (RFC 4380 §4)": (ipv4) => `2001:0:${groupsOf(ipv4)}::f7f7:f7f7`,
  "the client of Teredo (RFC 4380 §4)": (ipv4) =>
    `2001:0:808:808:0:0:${groupsOf(ipv4, (octet) => 255 - octet)}`,
  "ISATAP (RFC 5214 §6.1)": (ipv4) => `2001:470:1:2:0:5efe:${groupsOf(ipv4)}`,
  "ISATAP of a public address": (ipv4) => `2001:470:1:2:200:5efe:${groupsOf(ipv4)}`,
  "ISATAP of a site": (ipv4) => `fd12:3456:789a:1:0:5efe:${groupsOf(ipv4)}`,
};

/** Where the IPv4 address is in 64:ff9b:1::/48 depends on the length of the translator's prefix (RFC 6052 §2.2). */
export const formsOfLocalTranslators: Readonly<Record<string, Form>> = {
  "a prefix of 48": (ipv4) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
    return `64:ff9b:1:${hex(a, b)}:${hex(0, c)}:${hex(d, 0)}::`;
  },
  "a prefix of 56": (ipv4) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
    return `64:ff9b:1:${hex(0xab, a)}:${hex(0, b)}:${hex(c, d)}::`;
  },
  "a prefix of 64": (ipv4) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
    return `64:ff9b:1:abcd:${hex(0, a)}:${hex(b, c)}:${hex(d, 0)}:0`;
  },
  "a prefix of 96": (ipv4) => `64:ff9b:1::${ipv4}`,
};
