/** IP addresses: the forms that are read, their octets, and the networks that count as one peer. */

import { assertEquals } from "@std/assert";
import { formatIp, ipOctets, networkOf, readIpAddress } from "../../../src/ground/values/ip_address.ts";
import { test } from "../../runner.ts";

const others = [
  "",
  ":",
  "localhost",
  "10.0.0.0/8",
  "10.1",
  "010.0.0.1",
  "256.0.0.1",
  "192.0.2.7:80",
  "192.0.2.7.",
  "167772161",
  "0x7f000001",
  "1::2::3",
  "fe80::1%eth0",
  "[::1]",
  "::1]:80/[",
];

test("IP addresses: each address has one canonical form (RFC 5952 §4)", () => {
  const forms = [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:0DB8:0::000A", "2001:db8::a"],
    ["::", "::"],
  ] as const;
  for (const [written, canonical] of forms) assertEquals(readIpAddress(written), canonical, written);
  for (const text of others) assertEquals(readIpAddress(text), undefined, text);
});

test("IP addresses: an address has 4 or 16 octets (RFC 4291 §2.2)", () => {
  const zeros = (count: number) => new Array<number>(count).fill(0);
  const octets = [
    ["192.0.2.255", [192, 0, 2, 255]],
    ["::", zeros(16)],
    ["::1", [...zeros(15), 1]],
    ["2001:db8::a", [0x20, 1, 0xd, 0xb8, ...zeros(11), 0xa]],
    ["2001:db8::", [0x20, 1, 0xd, 0xb8, ...zeros(12)]],
    ["1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
    ["::ffff:192.0.2.7", [...zeros(10), 255, 255, 192, 0, 2, 7]],
  ] as const;
  for (const [text, expected] of octets) assertEquals(ipOctets(text), expected, text);
  for (const text of others) assertEquals(ipOctets(text), undefined, text);
});

test("IP addresses: octets have a canonical text (RFC 5952 §4)", () => {
  const texts = ["192.0.2.255", "0.0.0.0", "::", "::1", "2001:db8::a", "1:2:3:4:5:6:7:8", "::ffff:c000:207"];
  for (const text of texts) {
    assertEquals(formatIp(ipOctets(text)!), text);
    assertEquals(formatIp(new Uint8Array(ipOctets(text)!)), text);
  }
  for (const length of [0, 3, 5, 15, 17]) assertEquals(formatIp(new Uint8Array(length)), undefined);
});

test("IP addresses: one peer is an IPv4 address or an IPv6 /64 with its zone (RFC 6177, RFC 4007 §11)", () => {
  const networks = [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:0:1:2:3:4:5", "2001:db8:0:1"],
    ["2001:db8::5", "2001:db8:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0%eth0"],
    ["unknown", "unknown"],
  ] as const;
  for (const [address, network] of networks) assertEquals(networkOf(address), network, address);
});
