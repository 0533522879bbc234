/** How a proxy reads a head: the forms of a request, and what it passes on of the fields. */

import { assertEquals } from "@std/assert";
import { findAuthorization, readHead } from "../../../../src/tools/cli/proxy/read_head.ts";
import { test } from "../../../runner.ts";

const head = (...lines: readonly string[]) => lines.join("\r\n");

test("proxy head: CONNECT names a host and a port, and nothing else (RFC 9112 §3.2.3)", () => {
  const targets: Readonly<Record<string, readonly [host: string, port: number] | undefined>> = {
    "a.test:443": ["a.test", 443],
    "A.TEST.:1": ["a.test", 1],
    "a_b-c.test:65535": ["a_b-c.test", 65535],
    "a.test:00443": ["a.test", 443],
    "[::1]:8443": ["::1", 8443],
    "0x7f.1:80": ["127.0.0.1", 80],
  };
  const malformed =
    "a.test a.test: :443 a.test:0 a.test:65536 a.test:000443 a.test:4x a.test:443x xa@a.test:443 a.test:443/ /a.test:443 " +
    "[::1 [::1]:0 [::1]x:443 x[::1]:443 [::g]:443 .:443 a.test..:443 http://a.test:443 1.2.3.4.5:443 256.1.1.1:443";
  for (const [asked, [host, port] = ["", 0]] of Object.entries(targets)) {
    assertEquals(readHead(`CONNECT ${asked} HTTP/1.1`), { target: { host, port } }, asked);
  }
  for (const asked of malformed.split(" ")) {
    assertEquals([asked, readHead(`CONNECT ${asked} HTTP/1.1`)], [asked, undefined]);
  }
});

test("proxy head: the first line has a method, an address and a version (RFC 9112 §3)", () => {
  for (const first of ["GET / HTTP/1.1", "GET /a?b HTTP/1.0", "OPTIONS * HTTP/1.1", "get / HTTP/1.1"]) {
    assertEquals([first, readHead(first)], [first, "origin"]);
  }
  const malformed = [
    ...["", "GET", "GET /", "GET  / HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/1.1 ", "GET / / HTTP/1.1"],
    ...["GET / HTTP/1.2", "GET / HTTP/2.0", "GET / http/1.1", "GET / XHTTP/1.1", "G(T / HTTP/1.1"],
    ...["connect a.test:443 HTTP/1.1", "GET a.test HTTP/1.1", "GET *x HTTP/1.1", "GET ftp HTTP/1.1"],
  ];
  for (const first of malformed) assertEquals([first, readHead(first)], [first, undefined]);
});

test("proxy head: a field has a token as its name, and no control character in its value (RFC 9110 §5.1, §5.5)", () => {
  for (const field of ["a:", "a: b", "A-1_!~:\tb\t", "a:b:c", "a: \xe0\xff"]) {
    assertEquals([field, readHead(head("GET / HTTP/1.1", "x: y", field, "z: y"))], [field, "origin"]);
  }
  for (const field of "|a|:b|a :b| a:b|a(b:c|\xe0: b|a: b\n|a: \0|a: \x7f|a: \u0100".split("|")) {
    const read = readHead(head("GET / HTTP/1.1", "x: y", field, "z: y"));
    assertEquals([field, read], [field, undefined]);
  }
});

test("proxy head: a request in absolute form is passed on in origin form, without the fields of the connection (RFC 9110 §7.6.1)", () => {
  const plainOf = (asked: string, ...fields: readonly string[]) => {
    const read = readHead(head(`PUT ${asked} HTTP/1.0`, ...fields));
    return read === "origin" || read === undefined ? read : [read.target.port, read.plain];
  };
  const passed = (first: string, host: string, ...kept: readonly string[]) =>
    head(first, `host: ${host}`, "connection: close", ...kept);
  const [scheme, first] = ["http", "PUT /a?b HTTP/1.1"];
  assertEquals(plainOf("http://a.test/a?b"), [80, { scheme, head: passed(first, "a.test") }]);
  assertEquals(plainOf("http://a.test:8080/a?b"), [8080, { scheme, head: passed(first, "a.test:8080") }]);
  assertEquals(plainOf("https://a.test/a?b"), [443, { scheme: "https", head: passed(first, "a.test") }]);
  assertEquals(plainOf("http://a.test"), [80, { scheme, head: passed("PUT / HTTP/1.1", "a.test") }]);
  const own = "Host Connection Keep-Alive Proxy-Connection Proxy-Authorization TE Upgrade".split(" ");
  const near = own.flatMap((name) => [`${name}s: 1`, `x${name}: 1`]);
  assertEquals(
    plainOf("http://a.test/a?b", ...own.map((name) => `${name}: 1`), "TRAILER: 1", ...near),
    [80, { scheme, head: passed(first, "a.test", "TRAILER: 1", ...near) }],
  );
  for (const asked of "http:// http://a.test:0/ http://a.test:65536/ http://a.test../ a.test/".split(" ")) {
    assertEquals([asked, plainOf(asked)], [asked, undefined]);
  }
});

test("proxy head: the first Proxy-Authorization counts, and no field whose name only contains it (RFC 9110 §11.7.2)", () => {
  const near = [
    "x-proxy-authorization: a",
    "proxy-authorization-x: b",
    "proxy-authorization : c",
    "a: proxy-authorization: d",
  ];
  assertEquals(findAuthorization(head("GET / HTTP/1.1", ...near)), undefined);
  const own = ["PROXY-authorization:  Basic a:b \t", "Proxy-Authorization: Bearer d"];
  assertEquals(findAuthorization(head("GET / HTTP/1.1", ...near, ...own)), "Basic a:b");
});
