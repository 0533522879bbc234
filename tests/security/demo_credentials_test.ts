/** The published secret of the demo client is accepted from local pages only. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "../runner.ts";
import { basic, inWorld, sampleKey, type World, type WorldOptions } from "../world.ts";

const inDemo = (options: WorldOptions, work: (world: World) => Promise<void>) =>
  inWorld({ alg: "ES256", signingKeys: [sampleKey], ...options }, work, {});

const demo = basic("demo-confidential", "demo-secret");
const askForToken = (world: World, headers: HeadersInit) =>
  world.post("/oauth2/token", { grant_type: "client_credentials" }, headers);

const origins: readonly (readonly [issuer: string, origin: string | undefined, isOwn: boolean])[] = [
  ["http://localhost:9000", undefined, true],
  ["http://localhost:9000", "http://localhost:9000", true],
  ["http://localhost:9000", "http://localhost:3000", true],
  ["http://localhost:9000", "https://localhost:3000", true],
  ["http://localhost:9000", "http://127.0.0.1:3000", true],
  ["http://localhost:9000", "http://[::1]:3000", true],
  ["http://localhost:9000", "http://shop.localhost:3000", true],
  ["http://127.0.0.1:9000", "http://localhost:3000", true],
  ["http://localhost:9000", "https://evil.example", false],
  ["http://localhost:9000", "https://app.test", false],
  ["http://localhost:9000", "http://localhost.evil.example", false],
  ["http://localhost:9000", "http://evillocalhost", false],
  ["http://localhost:9000", "http://192.168.0.7:3000", false],
  ["http://localhost:9000", "chrome-extension://abcdefghijklmnop", false],
  ["http://localhost:9000", "null", false],
  ["http://localhost:9000", "", false],
  ["https://as.test", "https://app.example", true],
  ["https://as.test", "http://app.example", false],
  ["https://as.test", "https://evil.com", false],
  ["https://demo.company.com", "https://demo.company.com:8443", true],
  ["https://demo.company.com", "http://localhost:3000", true],
  ["https://demo.company.com", "https://www.company.com", false],
];

for (const [issuer, origin, isOwn] of origins) {
  const from = origin === undefined ? "a request without Origin" : `Origin "${origin}"`;
  test(`demo credentials: ${issuer} ${isOwn ? "accepts" : "refuses"} them from ${from}`, () =>
    inDemo({ issuer, exposeDemo: true }, async (world) => {
      const response = await askForToken(world, { ...demo, ...(origin === undefined ? {} : { origin }) });
      if (isOwn) return assertEquals(response.status, 200);
      const { error, error_description } = await response.json();
      assertEquals([response.status, error], [403, "unauthorized_client"]);
      assertStringIncludes(error_description, "demo credentials");
      assertEquals(world.lastRefusal(), {
        error: "unauthorized_client",
        reason: "demo_credentials_from_foreign_origin",
        description: "A foreign web page may not use the demo credentials",
        expected:
          "a request without Origin, or from a page of this host or of this machine; for any other page, configure its own client",
        received: `Origin: ${origin}`,
        change: "Configure a client of its own for the page, with its redirect URI.",
      });
    }));
}

test("demo credentials: a foreign page is refused at every endpoint, with a right or a wrong secret", () =>
  inDemo({}, async (world) => {
    const forms = {
      "/oauth2/token": { grant_type: "client_credentials" },
      "/oauth2/introspect": { token: "x" },
      "/oauth2/revoke": { token: "x" },
    };
    for (const [path, form] of Object.entries(forms)) {
      for (const secret of ["demo-secret", "guess"]) {
        const headers = { ...basic("demo-confidential", secret), origin: "https://evil.example" };
        assertEquals((await world.post(path, form, headers)).status, 403, path);
      }
      assertEquals(
        (await world.post(path, form, { ...demo, origin: "http://localhost:3000" })).status,
        200,
        path,
      );
    }
  }));

test("demo credentials: a configured client with the same secret is accepted from any origin", () =>
  inDemo({ clients: [{ client_id: "demo-confidential", client_secret: "demo-secret" }] }, async (world) => {
    assertEquals((await askForToken(world, { ...demo, origin: "https://app.company.com" })).status, 200);
  }));
