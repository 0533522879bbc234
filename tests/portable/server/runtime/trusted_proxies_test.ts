/** Behind a proxy: which headers name the peer (RFC 7239). */

import { assertEquals } from "@std/assert";
import { fromRequest } from "../../../../src/ground/http/message.ts";
import { trustProxies } from "../../../../src/server/runtime/trusted_proxies.ts";
import { test } from "../../../runner.ts";

async function peerOf(
  headers: Readonly<Record<string, string>>,
  { peer = "10.0.0.1", trusted = ["10.0.0.1", "2001:db8::a"] } = {},
): Promise<string | undefined> {
  let seen: string | undefined;
  const answer = trustProxies((request) => {
    seen = request.peer;
    return Promise.resolve({ status: 204, headers: {}, body: "" });
  }, trusted);
  await answer(fromRequest(new Request("https://as.test/", { headers }), peer));
  return seen;
}

const forwardedFor: readonly (readonly [value: string, peer: string])[] = [
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7:4711", "192.0.2.7"],
  ["2001:DB8:0::7", "2001:db8::7"],
  ["[2001:db8::7]", "2001:db8::7"],
  ["[2001:db8::7]:4711", "2001:db8::7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  // The client may have written the entries on the left.
  ["198.51.100.1, 192.0.2.7", "192.0.2.7"],
  ["nonsense, 192.0.2.7", "192.0.2.7"],
  // Several trusted proxies.
  ["198.51.100.1, 192.0.2.7, 2001:db8:0::a", "192.0.2.7"],
  ["2001:db8::a, 10.0.0.1", "2001:db8::a"],
  // Malformed: the peer is the proxy.
  ["", "10.0.0.1"],
  ["unknown", "10.0.0.1"],
  ["192.0.2.7, unknown", "10.0.0.1"],
  ["192.0.2.7,", "10.0.0.1"],
  ["192.0.2.999", "10.0.0.1"],
  ["x192.0.2.7", "10.0.0.1"],
  ["x192.0.2.7:4711", "10.0.0.1"],
  ["192.0.2.7:4711x", "10.0.0.1"],
  ["192.0.2.7:471100", "10.0.0.1"],
  ["192.0.2.7:", "10.0.0.1"],
  ["[2001:db8::7", "10.0.0.1"],
  ["fe80::1%eth0", "10.0.0.1"],
];

for (const [value, peer] of forwardedFor) {
  test(`trusted proxies: X-Forwarded-For ${JSON.stringify(value)} from a proxy means ${peer}`, async () => {
    assertEquals(await peerOf({ "x-forwarded-for": value }), peer);
  });
}

const forwarded: readonly (readonly [value: string, peer: string])[] = [
  ["for=192.0.2.7", "192.0.2.7"],
  ['For="192.0.2.7:4711";proto=https;by=203.0.113.43', "192.0.2.7"],
  ['proto=https; for="[2001:db8:cafe::17]:4711"', "2001:db8:cafe::17"],
  ['for=198.51.100.1;host="a,b;for=1.2.3.4", for=192.0.2.7', "192.0.2.7"],
  ["for=192.0.2.7, for=10.0.0.1", "192.0.2.7"],
  ["for=192.0.2.7;for=198.51.100.1", "192.0.2.7"],
  ["before=198.51.100.1;for=192.0.2.7", "192.0.2.7"],
  ["for=198.51.100.1 ,\tproto=https ;\tfor=192.0.2.7", "192.0.2.7"],
  ["@, for=192.0.2.7", "10.0.0.1"],
  ["for=192.0.2.7, @", "10.0.0.1"],
  ["for=192.0.2.7;;proto=https", "10.0.0.1"],
  ['for="_hidden"', "10.0.0.1"],
  ["for=unknown", "10.0.0.1"],
  ["proto=https", "10.0.0.1"],
  ["for=[2001:db8::7]", "10.0.0.1"],
  ['for="198.51.100.1, for=192.0.2.7', "10.0.0.1"],
  ['for="198.51.100.1, for="[2001:db8::7]"', "10.0.0.1"],
];

for (const [value, peer] of forwarded) {
  test(`trusted proxies: Forwarded ${JSON.stringify(value)} from a proxy means ${peer} (RFC 7239 §4)`, async () => {
    assertEquals(await peerOf({ forwarded: value }), peer);
  });
}

test("trusted proxies: with both headers neither counts, because the client may have written one", async () => {
  const both = { forwarded: "for=198.51.100.1", "x-forwarded-for": "192.0.2.7" };
  assertEquals(await peerOf(both), "10.0.0.1");
});

test("trusted proxies: headers from an untrusted address are ignored", async () => {
  const headers = { "x-forwarded-for": "192.0.2.7" };
  assertEquals(await peerOf(headers, { peer: "10.0.0.2" }), "10.0.0.2");
  assertEquals(await peerOf(headers, { trusted: [] }), "10.0.0.1");
});

test("trusted proxies: the address of a proxy may be written in different ways", async () => {
  const headers = { "x-forwarded-for": "192.0.2.7" };
  for (const peer of ["2001:db8::a", "2001:0DB8:0::000a", "::ffff:10.0.0.1"]) {
    assertEquals(await peerOf(headers, { peer, trusted: ["2001:DB8::A", "10.0.0.1"] }), "192.0.2.7");
  }
});

test("trusted proxies: the headers do not change the address of the request", async () => {
  let origin = "";
  const answer = trustProxies((request) => {
    origin = request.address.origin;
    return Promise.resolve({ status: 204, headers: {}, body: "" });
  }, ["10.0.0.1"]);
  const headers = {
    "forwarded": "for=192.0.2.7;host=evil.example;proto=http",
    "x-forwarded-host": "evil.example",
  };
  await answer(fromRequest(new Request("https://as.test/", { headers }), "10.0.0.1"));
  assertEquals(origin, "https://as.test");
});
