/** First use: after sign-out the browser may return to the origin of the client's redirect URI (RP-Initiated Logout §3). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import type { ServerOptions } from "../../../src/mod.ts";
import { assertRefusedOnPage } from "../oauth/refusals.ts";
import { byId, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { withoutClients } from "../../world.ts";

const logOutTo = (uri: string, more = "") =>
  `/connect/logout?client_id=my-app&post_logout_redirect_uri=${encodeURIComponent(uri)}${more}`;

const local = "http://localhost:3000/callback";
const below = "http://app.localhost:3000/cb";

/** The addresses after sign-out of a client with this redirect URI. */
const cases: Readonly<
  Record<string, { readonly accepted: readonly string[]; readonly refused: readonly string[] }>
> = {
  [local]: {
    accepted: [
      "http://localhost:3000",
      "http://localhost:3000/signed-out?from=as",
      // The port of a loopback redirect URI may differ from one sign-in to the next.
      "http://localhost:51234/",
    ],
    refused: [
      "http://app.localhost:3000/",
      "http://127.0.0.1:3000/",
      "https://localhost:3000/",
      "http://localhost.evil.example/",
      "http://localhost:3000@evil.example/",
      "http://localhost:3000/#token",
      "http://localhost:99999/",
      "//localhost:3000/",
      "javascript:alert(1)",
      "com.example.app:/bye",
    ],
  },
  "http://127.0.0.1:49152/cb": { accepted: ["http://127.0.0.1:50777/bye"], refused: [] },
  [below]: {
    accepted: ["http://app.localhost:3000/bye"],
    refused: [
      "http://app.localhost:3001/bye",
      "http://localhost:3000/bye",
      "https://app.localhost:3000/bye",
    ],
  },
  "https://app.test/cb": {
    accepted: ["https://app.test/bye"],
    refused: ["https://app.test:8443/bye", "https://other.test/", "http://app.test/"],
  },
};

for (const [redirect_uri, { accepted, refused }] of Object.entries(cases)) {
  test(`first use: with ${redirect_uri} the sign-out leads to its origin, and nowhere else`, () =>
    withoutClients({ issuer: "https://as.test" }, async (world) => {
      for (const uri of accepted) {
        await world.code({ client_id: "my-app", redirect_uri });
        const response = await world.get(logOutTo(uri, "&state=s"));
        const state = uri.includes("?") ? "&state=s" : "?state=s";
        assertEquals([response.status, response.headers.get("location")], [303, uri + state]);
      }
      for (const uri of refused) {
        const expected = { error: "invalid_request", reason: "post_logout_uri_unregistered" };
        await assertRefusedOnPage(world, await world.get(logOutTo(uri, "&state=s")), expected);
        assertEquals(world.lastRefusal()?.expected, `an address at the origin of ${redirect_uri}`, uri);
      }
    }));
}

test("first use: an address after sign-out that contains a state is refused, because the answer adds one (OAuth 2.1 §2.3)", () =>
  withoutClients({}, async (world) => {
    await world.code({ client_id: "my-app", redirect_uri: local });
    for (const uri of ["http://localhost:3000/?state=1", "http://localhost:3000/?a=b&st%61te="]) {
      const response = await world.get(logOutTo(uri, "&state=s"));
      await assertRefusedOnPage(world, response, {
        error: "invalid_request",
        reason: "post_logout_uri_unregistered",
      });
      assertStringIncludes(world.lastRefusal()?.expected ?? "", "must not have the parameter state");
      assertEquals(world.lastRefusal()?.remedy, undefined);
    }
  }));

test("first use: the refusal of an address after sign-out shows the configuration that allows it", () =>
  withoutClients({}, async (world) => {
    await world.code({ client_id: "my-app", redirect_uri: local });
    const uri = "https://www.example.com/signed-out";
    const html = await (await world.get(logOutTo(uri))).text();
    const remedy: ServerOptions = JSON.parse(textOf(byId(readHtml(html), "remedy")));
    assertEquals(remedy.clients?.[0]?.post_logout_redirect_uris, [uri]);
    await withoutClients(remedy, async (configured) => {
      assertEquals((await configured.get(logOutTo(uri))).headers.get("location"), uri);
    });
  }));

test("first use: a configured client may continue at its registered address only, not anywhere at its origin", () => {
  const clients = [{
    client_id: "my-app",
    redirect_uris: [local],
    post_logout_redirect_uris: [`${local}/bye`],
  }];
  return withoutClients({ clients }, async (world) => {
    assertEquals((await world.get(logOutTo(`${local}/bye`))).status, 303);
    assertEquals((await world.get(logOutTo("http://localhost:3000/"))).status, 400);
    assertStringIncludes(world.lastRefusal()?.expected ?? "", `${local}/bye`);
    assertEquals(world.lastRefusal()?.remedy, undefined);
  });
});
