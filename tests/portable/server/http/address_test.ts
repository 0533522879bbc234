/** `parseAddress` finds the same parts of a URL as `new URL()`, and refuses invalid URLs. */

import { assertEquals } from "@std/assert";
import {
  createAddressParser,
  isHost,
  longestUrl,
  parseAddress,
} from "../../../../src/ground/http/address.ts";
import { test } from "../../../runner.ts";

const urls = [
  "https://as.test/",
  "https://as.test",
  "http://localhost:9000/.well-known/openid-configuration",
  "http://LOCALHOST:9000/a",
  "https://as.test:443/a",
  "http://as.test:80/a?b",
  "https://as.test/a/../b?c=d",
  "https://as.test/a/./b",
  "http://as.test/a/./b",
  "https://as.test/..",
  "https://as.test/a/%2e%2e/b",
  "https://as.test//evil.test/a",
  "https://as.test/a//b/",
  "https://as.test/a%20b?c=%20+d&e=f%",
  "https://as.test/a b",
  "https://as.test/é?ü=ß",
  "https://as.test/a\\b",
  "https://as.test/?",
  "https://as.test?a=b",
  "https://as.test/a?b?c#d",
  "https://as.test/a#b?c",
  "https://127.1/a",
  "http://[::1]:9000/a",
  "http://[0:0::1]/a",
];

for (const url of urls) {
  test(`address: ${url} has the parts that a URL parser finds`, () => {
    const { origin, host, pathname, search } = new URL(url);
    const address = parseAddress(url);
    assertEquals([address?.origin, address?.host, address?.path], [origin, host, pathname]);
    // `parseAddress` does not encode the query, so the test encodes it before the comparison.
    assertEquals(
      encodeURI(decodeURI(address!.query.replaceAll("%", "%25"))),
      search.slice(1).replaceAll("%", "%25"),
    );
    assertEquals(address?.length, url.length);
  });
}

const wrongUrls = [
  "https://evil.test@as.test/",
  "https://a:b@as.test/",
  "https://as.test:99999/",
  "https://[::1/",
  "https://a b/",
  "https:as.test/",
  "ftp://as.test/",
  "http:///a",
  "https://as.test/a\tb",
  "https://as.test/a?b\nc",
  "https://as.\ttest/a",
  "https://as.test/a ",
  " https://as.test/a",
  "https://as.test /a",
  "*",
  "",
];
for (const url of wrongUrls) {
  test(`address: ${JSON.stringify(url)} is refused`, () => assertEquals(parseAddress(url), undefined));
}

test("address: the query of a usual URL stays as the client sent it, for the journal", () => {
  const query = `a="<é>'&b=%zz`;
  const urls = ["http://as.test/", "https://a-b_c.test:8443/.well-known/x~y.z", "http://[::1]:80/a/b/"];
  for (const url of urls) {
    assertEquals(parseAddress(`${url}?${query}`)?.query, query, url);
  }
  const longest = query.padEnd(longestUrl - "http://as.test/?".length, "x");
  assertEquals(parseAddress(`http://as.test/?${longest}`)?.query, longest);
});

test("address: a parser that is used again does not return the host of an earlier address", () => {
  const parse = createAddressParser();
  for (const host of ["as.test", "evil.test", "as.test", "as.test:8443", "AS.test"]) {
    assertEquals(parse(`https://${host}/a`)?.host, host.toLowerCase());
    assertEquals(parse("https://as.test:99999/a"), undefined);
  }
});

test("address: a Host header is one name, with or without a port (RFC 9112 §3.2)", () => {
  const hosts = ["as.test", "AS.test:8443", "127.0.0.1:1", "[::1]", "[::ffff:1.2.3.4]:9000", "as_1.test:"];
  for (const host of hosts) {
    assertEquals([host, isHost(host)], [host, true]);
  }
  const others = [
    "",
    " ",
    "as.test/oauth2",
    "as.test?",
    "a@as.test",
    "as.test, evil.test",
    "as.test:80:80",
    "é",
  ];
  for (const host of [...others, "[::1", "as.test\\a", "as.test#a", "as.test\n", "%61s.test"]) {
    assertEquals([host, isHost(host)], [host, false]);
  }
});
