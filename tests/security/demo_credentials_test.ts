/** The published secret of the demo client is accepted from local pages only. */

import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { foreignOrigins, localOrigins } from "../ground/http/origins_of_pages.ts";
import { basic, inWorld, sampleKey, type World, type WorldOptions } from "../world.ts";

const inDemo = (options: WorldOptions, work: (world: World) => Promise<void>) =>
  inWorld({ alg: "ES256", signingKeys: [sampleKey], ...options }, work, {});

const demo = basic("demo-confidential", "demo-secret");
const askForToken = (world: World, headers: HeadersInit) =>
  world.post("/oauth2/token", { grant_type: "client_credentials" }, headers);

/** Pages by their origin, for each issuer. `undefined` is a program, which sends no Origin. */
const origins: Readonly<
  Record<string, { readonly own: readonly (string | undefined)[]; readonly foreign: readonly string[] }>
> = {
  "http://localhost:9000": {
    own: [undefined, ...localOrigins],
    foreign: foreignOrigins,
  },
  "http://127.0.0.1:9000": { own: ["http://localhost:3000"], foreign: [] },
  "https://as.test": { own: ["https://app.example"], foreign: ["http://app.example", "https://evil.com"] },
  "https://demo.company.com": {
    own: ["https://demo.company.com:8443", "http://localhost:3000"],
    foreign: ["https://www.company.com"],
  },
};

for (const [issuer, { own, foreign }] of Object.entries(origins)) {
  test(`demo credentials: ${issuer} accepts them from pages of its host and of this machine only`, () =>
    inDemo({ issuer, exposeDemo: true }, async (world) => {
      for (const origin of own) {
        const response = await askForToken(world, { ...demo, ...(origin === undefined ? {} : { origin }) });
        assertEquals(response.status, 200, origin);
      }
      for (const origin of foreign) {
        const response = await askForToken(world, { ...demo, origin });
        assertEquals([response.status, (await response.json()).error], [403, "unauthorized_client"], origin);
        const { reason, received } = world.lastRefusal()!;
        assertEquals([reason, received], ["demo_credentials_from_foreign_origin", `Origin: ${origin}`]);
      }
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
      const own = await world.post(path, form, { ...demo, origin: "http://localhost:3000" });
      assertEquals(own.status, 200, path);
    }
  }));

test("demo credentials: a configured client with the same secret is accepted from any origin", () =>
  inDemo({ clients: [{ client_id: "demo-confidential", client_secret: "demo-secret" }] }, async (world) => {
    assertEquals((await askForToken(world, { ...demo, origin: "https://app.company.com" })).status, 200);
  }));
