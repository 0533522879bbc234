/** Where a request goes: the same parts as a URL parser finds, whichever way they were found. */

import { assertEquals } from "@std/assert";
import { parseAddress } from "../../src/http/address.ts";
import { test } from "../runner.ts";

const urls = [
  "https://as.test/",
  "https://as.test",
  "http://localhost:9000/.well-known/openid-configuration",
  "http://LOCALHOST:9000/a",
  "https://as.test:443/a",
  "http://as.test:80/a?b",
  "https://as.test/a/../b?c=d",
  "https://as.test/a/./b",
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
  test(`address: ${url} has the parts that a parser finds`, () => {
    const { origin, host, pathname, search } = new URL(url);
    const address = parseAddress(url);
    assertEquals([address?.origin, address?.host, address?.path], [origin, host, pathname]);
    // As it came: what a parser encodes decodes to the same.
    assertEquals(
      encodeURI(decodeURI(address!.query.replaceAll("%", "%25"))),
      search.slice(1).replaceAll("%", "%25"),
    );
    assertEquals(address?.length, url.length);
  });
}

for (
  const url of [
    "https://evil.test@as.test/",
    "https://a:b@as.test/",
    "https://as.test:99999/",
    "https://[::1/",
    "https://a b/",
    "https:as.test/",
    "ftp://as.test/",
    "http:///a",
    "*",
    "",
  ]
) {
  test(`address: ${url} is none`, () => assertEquals(parseAddress(url), undefined));
}

test("address: one after the other, none has the host of the one before it", () => {
  for (const host of ["as.test", "evil.test", "as.test", "as.test:8443", "AS.test"]) {
    assertEquals(parseAddress(`https://${host}/a`)?.host, host.toLowerCase());
  }
});
