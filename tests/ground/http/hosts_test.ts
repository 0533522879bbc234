/** What a host is: a name of this machine, an address, or a private one. Similar text is none of them. */

import { assertEquals } from "@std/assert";
import * as address from "../../../src/ground/http/address.ts";
import { test } from "../../runner.ts";

const { namesLoopback, namesThisMachine, namesIpAddress, isLoopbackHost } = address;
const kinds = { namesLoopback, namesThisMachine, namesIpAddress, isLoopbackHost };

/** Each host, and the functions that accept it. */
const accepted: Readonly<Record<string, readonly (keyof typeof kinds)[]>> = {
  "localhost": ["namesLoopback", "namesThisMachine", "isLoopbackHost"],
  "127.0.0.1": ["namesLoopback", "namesThisMachine", "namesIpAddress", "isLoopbackHost"],
  "[::1]": ["namesLoopback", "namesThisMachine", "namesIpAddress"],
  "::1": ["isLoopbackHost"],
  "localhost:9000": ["namesLoopback"],
  "127.0.0.1:80": ["namesLoopback", "namesIpAddress"],
  "[::1]:9000": ["namesLoopback", "namesIpAddress"],
  "app.localhost": ["namesThisMachine"],
  "a.b.localhost": ["namesThisMachine"],
  "127.10.200.3": ["namesThisMachine", "namesIpAddress", "isLoopbackHost"],
  "192.168.100.7": ["namesIpAddress"],
  "[2001:db8::a]": ["namesIpAddress"],
  "[2001:db8::a]:8443": ["namesIpAddress"],
};

const others = [
  ...",.localhost,xlocalhost,localhost.evil.test,localhost:9000x,localhost:,x127.0.0.1,127.0.0.1.evil.test"
    .split(","),
  ..."127.0.0.1:80x,127.0.0,127.0.0.1000,x[::1],[::1].evil.test,[::1]:80x,[],::1x,as.test".split(","),
];

test("hosts: only names and addresses of this machine are loopback, with a port or without (RFC 6761 §6.3)", () => {
  for (const [host, expected] of Object.entries(accepted)) {
    const accepting = Object.entries(kinds).filter(([, accepts]) => accepts(host)).map(([name]) => name);
    assertEquals(accepting.toSorted(), expected.toSorted(), host);
  }
  for (const host of others) assertEquals(Object.values(kinds).some((accepts) => accepts(host)), false, host);
});

test("hosts: an address in a URL is read without its brackets, and a name is no address (RFC 3986 §3.2.2)", () => {
  const literals = {
    "[::1]": "::1",
    "127.0.0.1": "127.0.0.1",
    "1.as.test": undefined,
    "as.test.1": undefined,
  };
  for (const [host, literal] of Object.entries(literals)) {
    assertEquals(address.readLiteral(host), literal, host);
  }
  const plain = { "[::1]": "::1", "[]": "", "::1": "::1", "a[::1]": "a[::1]", "[::1]b": "[::1]b" };
  for (const [host, bare] of Object.entries(plain)) assertEquals(address.withoutBrackets(host), bare, host);
});

/** Spellings, and the URL that they are compared as. */
const spellings: Readonly<Record<string, string>> = {
  "HTTPS://AS.test:443/%7Eme/%2f%c3": "https://as.test/~me/%2F%C3",
  "http://as.test/%41%2d%2E%5f%30": "http://as.test/A-._0",
  "https://as.test": "https://as.test/",
  "https://as.test:8443/a?b#c": "https://as.test:8443/a",
};

const unfit = [
  ..."https://u@a/,https://:p@a/,https:///a/,https:a/,wss://a/,x-https://a/,https://a:99999/".split(","),
  ...["https://a/b c", "https://a\\b", "https://a/\u0085"],
];

test("URLs: spellings of one URL are equal, and other URLs are not (RFC 3986 §6.2.2, §6.2.3)", () => {
  for (const [text, url] of Object.entries(spellings)) assertEquals(address.normaliseUrl(text), url, text);
  for (const text of unfit) assertEquals(address.normaliseUrl(text), undefined, text);
});
