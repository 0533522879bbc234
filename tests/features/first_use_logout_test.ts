/** First use: after sign-out the browser may return to the origin of the client's redirect URI (RP-Initiated Logout §3). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import type { ServerOptions } from "../../src/mod.ts";
import { assertRefusedOnPage } from "../oauth/refusals.ts";
import { byId, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { withoutClients } from "../world.ts";

const logOutTo = (uri: string, more = "") =>
  `/connect/logout?client_id=my-app&post_logout_redirect_uri=${encodeURIComponent(uri)}${more}`;

type Case = readonly [redirectUri: string, uri: string, isAccepted: boolean];

const local = "http://localhost:3000/callback";
const cases: readonly Case[] = [
  [local, "http://localhost:3000", true],
  [local, "http://localhost:3000/signed-out?from=as", true],
  // The port of a loopback redirect URI may differ from one sign-in to the next.
  [local, "http://localhost:51234/", true],
  ["http://127.0.0.1:49152/cb", "http://127.0.0.1:50777/bye", true],
  ["https://app.test/cb", "https://app.test/bye", true],
  ["http://app.localhost:3000/cb", "http://app.localhost:3000/bye", true],
  ["http://app.localhost:3000/cb", "http://app.localhost:3001/bye", false],
  ["http://app.localhost:3000/cb", "http://localhost:3000/bye", false],
  ["http://app.localhost:3000/cb", "https://app.localhost:3000/bye", false],
  [local, "http://app.localhost:3000/", false],
  [local, "http://127.0.0.1:3000/", false],
  [local, "https://localhost:3000/", false],
  [local, "http://localhost.evil.example/", false],
  [local, "http://localhost:3000@evil.example/", false],
  [local, "http://localhost:3000/#token", false],
  [local, "http://localhost:99999/", false],
  [local, "//localhost:3000/", false],
  [local, "javascript:alert(1)", false],
  [local, "com.example.app:/bye", false],
  ["https://app.test/cb", "https://app.test:8443/bye", false],
  ["https://app.test/cb", "https://other.test/", false],
  ["https://app.test/cb", "http://app.test/", false],
];

for (const [redirect_uri, uri, isAccepted] of cases) {
  test(`first use: with ${redirect_uri} the sign-out ${isAccepted ? "leads" : "does not lead"} to ${uri}`, () =>
    withoutClients({ issuer: "https://as.test" }, async (world) => {
      await world.code({ client_id: "my-app", redirect_uri });
      const response = await world.get(logOutTo(uri, "&state=s"));
      if (isAccepted) {
        const state = uri.includes("?") ? "&state=s" : "?state=s";
        return assertEquals([response.status, response.headers.get("location")], [303, uri + state]);
      }
      const expected = { error: "invalid_request", reason: "post_logout_uri_unregistered" };
      await assertRefusedOnPage(world, response, expected);
      assertEquals(world.lastRefusal()?.expected, `an address at the origin of ${redirect_uri}`);
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
