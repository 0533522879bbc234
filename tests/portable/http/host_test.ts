/** The host of an address decides whether the server answers, and nothing else. */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { inWorld } from "../../world.ts";

const others = [
  "https://evil.test",
  "https://as.test.evil.test",
  "https://evil-as.test",
  "https://sub.as.test",
  "https://as.test.",
  "https://as.test:8443",
  "https://127.0.0.1.evil.test",
  "https://localhost.evil.test",
  "http://127.0.0.2:9000",
  "http://0.0.0.0:9000",
];

for (const origin of others) {
  test(`host: ${origin} is refused at every path (RFC 8414 §3.3)`, () =>
    inWorld({}, async (world) => {
      const paths = [
        "/",
        "/.well-known/oauth-authorization-server",
        "/oauth2/authorize",
        "/oauth2/token",
        "/x",
      ];
      for (const path of paths) {
        const response = await world.get(origin + path);
        assertEquals([response.status, response.headers.get("location")], [421, null]);
        assertEquals(world.lastRefusal()?.reason, "host_unknown");
        assertEquals(
          world.lastRefusal()?.expected,
          "https://as.test, or the other name as the issuer of this server",
        );
      }
    }));
}

for (const origin of ["https://as.test", "https://AS.test", "https://as.test:443", "http://as.test"]) {
  test(`host: ${origin} is this server, also if a proxy forwards to it over http`, () =>
    inWorld({}, async (world) => {
      assertEquals((await world.get(`${origin}/oauth2/jwks`)).status, 200);
    }));
}

for (const origin of ["http://localhost:1", "http://127.0.0.1:65535", "http://[::1]:9000"]) {
  test(`host: ${origin} is this server on its own machine`, () =>
    inWorld({}, async (world) => {
      assertEquals((await world.get(`${origin}/oauth2/jwks`)).status, 200);
    }));
}
