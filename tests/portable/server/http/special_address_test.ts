/** Special addresses: both edges of each range, and the forms in which URLs write addresses. */

import { assertEquals } from "@std/assert";
import {
  type AddressKind,
  classifyAddress,
  listIpv4In,
} from "../../../../src/ground/http/special_address.ts";
import { isAllowedAddress, type Reach, unfitToCall } from "../../../../src/ground/http/outgoing_url.ts";
import { readIpAddress } from "../../../../src/ground/values/ip_address.ts";
import { test } from "../../../runner.ts";
import { formsOfLocalTranslators, formsWithIpv4 } from "./ipv4_in_ipv6.ts";

/** Each line: the addresses just before and just after a range, and the first and last address of the range. */
const ranges: readonly (readonly [before: string, first: string, last: string, after: string])[] = [
  ["", "0.0.0.0", "0.255.255.255", "1.0.0.0"],
  ["9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"],
  ["100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"],
  ["169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"],
  ["172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"],
  ["191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"],
  ["192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"],
  ["192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"],
  ["192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"],
  ["198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"],
  ["198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"],
  ["203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"],
  ["223.255.255.255", "224.0.0.0", "255.255.255.255", ""],
  ["", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""],
  ["", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"],
  [
    "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db9::",
  ],
  ["2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"],
  [
    "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3fff::",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3fff:1000::",
  ],
  ["3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""],
];

test("special addresses: both edges of each range are special, and their neighbours are public", () => {
  for (const [before, first, last, after] of ranges) {
    assertEquals([first, last].map(classifyAddress), ["special", "special"], `${first} to ${last}`);
    for (const neighbour of [before, after].filter((each) => each !== "")) {
      assertEquals(classifyAddress(neighbour), "public", neighbour);
    }
  }
});

test("special addresses: only 127/8 and ::1 are loopback", () => {
  const kinds: Readonly<Record<string, AddressKind>> = {
    "126.255.255.255": "public",
    "127.0.0.0": "loopback",
    "127.0.0.1": "loopback",
    "127.255.255.255": "loopback",
    "128.0.0.0": "public",
    "::1": "loopback",
    "::2": "special",
    "0:0:0:0:0:0:0:1": "loopback",
    // IPv4 inside IPv6: mapped, compatible, NAT64, local NAT64, 6to4 and Teredo.
    "::ffff:127.0.0.1": "special",
    "::ffff:8.8.8.8": "special",
    "::127.0.0.1": "special",
    "64:ff9b::127.0.0.1": "special",
    "64:ff9b::8.8.8.8": "special",
    "64:ff9b:1::1": "special",
    "2002:7f00:1::": "special",
    "2001:0:7f00:1::": "special",
    "100::1": "special",
    "fc00::1": "special",
    "fdff::1": "special",
    "fe80::1": "special",
    "fe80::1%eth0": "special",
    "ff02::1": "special",
    "8.8.8.8": "public",
    "2606:4700:4700::1111": "public",
    "": "special",
    "127.1": "special",
    "256.1.1.1": "special",
    "example.com": "special",
  };
  for (const [address, kind] of Object.entries(kinds)) assertEquals(classifyAddress(address), kind, address);
});

test("special addresses: no form of IPv6 leads to a special IPv4 address or a loopback one", () => {
  const reaches: readonly Reach[] = ["public", "loopback"];
  for (const [name, form] of Object.entries({ ...formsWithIpv4, ...formsOfLocalTranslators })) {
    for (const ipv4 of [...ranges.flatMap(([, first, last]) => [first, last]), "127.0.0.1"]) {
      if (!/^\d+\./.test(ipv4)) continue;
      const address = form(ipv4);
      assertEquals([name, address, classifyAddress(address)], [name, address, "special"]);
      for (const reach of reaches) {
        for (const host of ["client.example", "app.localhost"]) {
          assertEquals(isAllowedAddress(address, host, reach), false, `${host} at ${address}`);
        }
        const hostname = readIpAddress(address)!;
        assertEquals(typeof unfitToCall(`https://[${hostname}]/c`, reach), "string", hostname);
      }
    }
  }
});

test("special addresses: each form has its IPv4 address, and ISATAP addresses of public ones are public", () => {
  for (const [name, form] of Object.entries(formsWithIpv4)) {
    assertEquals([name, listIpv4In(form("8.9.10.11")).includes("8.9.10.11")], [name, true]);
  }
  assertEquals(classifyAddress("2001:470:1:2:0:5efe:808:808"), "public");
  assertEquals(listIpv4In("2a00:2002:2001:0:1:0:5efe:1"), []);
  for (const none of ["2001:470::1", "2001:470:1:2:100:5efe:7f00:1", "64:ff9b:2::7f00:1", "8.8.8.8", "a"]) {
    assertEquals(listIpv4In(none), [], none);
  }
});

/** The URLs that are accepted and refused, by the reach of a fetch. */
const urls: Readonly<
  Record<Reach, { readonly accepted: readonly string[]; readonly refused: readonly string[] }>
> = {
  public: {
    accepted: [
      ...["https://client.example/c", "https://client.example:8443/c?x=1", "https://8.8.8.8/c"],
      "https://[2606:4700:4700::1111]/c",
    ],
    refused: [
      ...["http://client.example/c", "HTTP://client.example/c", "https:client.example/c"],
      ...["https://client.example#f", "https://u:p@client.example/c"],
      ...["https://client.example@127.0.0.1/c", "https://client.example./c", "https://127.0.0.1/c"],
      ...["https://127.0.0.1./c", "https://localhost/c", "https://localhost./c"],
      ...["https://app.localhost/c", "https://[::1]/c", "https://[::ffff:127.0.0.1]/c"],
      ...["https://[64:ff9b::7f00:1]/c", "https://169.254.169.254/latest", "https://2130706433/c"],
      ...["https://0x7f000001/c", "https://0177.0.0.1/c", "https://127.1/c", "https://134744072/c"],
      ...["https://0x8.8.8.8/c", "https://１２７.0.0.1/c", "https://127。0。0。1/c"],
      ...["https://%31%32%37.0.0.1/c", "https://\tclient.example/c", "file:///etc/passwd"],
    ],
  },
  loopback: {
    accepted: [
      ...["http://localhost:3000/c", "http://127.0.0.1:3000/c", "http://[::1]:3000/c"],
      ...["http://app.localhost:3000/c", "https://localhost:3000/c", "https://client.example/c"],
    ],
    refused: [
      ...["gopher://127.0.0.1:6379/_", "data:application/json,{}", "javascript:alert(1)"],
      ...["http://client.example/c", "http://localhost.client.example/c", "http://0.0.0.0:3000/c"],
      ...["https://0.0.0.0:3000/c", "http://192.168.1.5/c", "https://10.0.0.1/c"],
      "https://[fd00::1]/c",
    ],
  },
  any: {
    accepted: [
      ...["http://app:3000/c", "https://10.0.0.1/c"],
    ],
    refused: [
      "ftp://10.0.0.1/c",
    ],
  },
};

test("outgoing URLs: each form of a special address is refused before a look-up (CIMD §8.6)", () => {
  for (const [reach, { accepted, refused }] of Object.entries(urls)) {
    const isFit = (url: string) => unfitToCall(url, reach as Reach) === undefined;
    assertEquals(accepted.filter((url) => !isFit(url)), [], reach);
    assertEquals(refused.filter(isFit), [], reach);
  }
});
