/** The authorization response: exactly these parameters, in allowed characters. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { wireText } from "../../src/oauth/error.ts";
import { test } from "./test_in_world.ts";
import { callbackParams, inWorld, redirectUri } from "../world.ts";
import { wireCharacters } from "./refusals.ts";

test("authorization response: has code, state and iss, and nothing else (OAuth 2.1 §4.1.2)", async (world) => {
  const response = await world.authorize({ nonce: "n-0S6_WzA2Mj", login_hint: "bob" });
  const url = new URL(response.headers.get("location")!);
  assertEquals(url.origin + url.pathname, redirectUri);
  assertEquals([...url.searchParams.keys()], ["code", "state", "iss"]);
  assertEquals(url.searchParams.get("state"), "af0ifjsldkj");
  assertEquals(url.searchParams.get("iss"), "https://as.test");
});

test("authorization response: has no state if the request has none (OAuth 2.1 §4.1.2)", async (world) => {
  assertEquals([...callbackParams(await world.authorize({ state: undefined })).keys()], ["code", "iss"]);
  const refused = callbackParams(await world.authorize({ state: undefined, scope: '"' }));
  assertEquals([...refused.keys()], ["error", "error_description", "iss"]);
});

test("authorization response: encodes the issuer as a value (OAuth 2.1 §4.1.2)", async (world) => {
  const location = (await world.authorize()).headers.get("location")!;
  assertMatch(location, /&iss=https%3A%2F%2Fas\.test$/);
});

for (
  const issuer of ["https://as.test", "https://as.test/", "https://as.test/tenant", "https://as.test/tenant/"]
) {
  test(`authorization response: iss is ${issuer}, as in the metadata (OAuth 2.1 §4.1.2, §4.1.2.1)`, () =>
    inWorld({ issuer }, async (world) => {
      const path = new URL(issuer).pathname.replace(/\/$/, "");
      const metadata = await world.get(`https://as.test/.well-known/oauth-authorization-server${path}`);
      assertEquals((await metadata.json()).issuer, issuer);
      for (const changed of [{}, { scope: '"' }]) {
        assertEquals(callbackParams(await world.authorize(changed)).get("iss"), issuer);
      }
    }));
}

test("authorization response: a redirect has status 303 and no-store, after GET and after POST (OAuth 2.1 §1.6, §3.2.3)", async (world) => {
  const form = world.authorizeUrl().split("?")[1]!;
  for (const response of [await world.authorize(), await world.post("/oauth2/authorize", form)]) {
    assertEquals([response.status, response.headers.get("cache-control")], [303, "no-store"]);
    assertEquals(response.headers.get("referrer-policy"), "no-referrer");
    assertEquals(await response.text(), "");
  }
});

test("authorization response: an error that quotes the request has allowed characters only (OAuth 2.1 §4.1.2.1)", () =>
  inWorld({ scopes: { read: "" } }, async (world) => {
    const scope = "'<script>!#$%&()*+,-./:;=?@[]^_`{|}~";
    const params = callbackParams(await world.authorize({ scope }));
    assertMatch(params.get("error_description")!, wireCharacters);
    assert(params.get("error_description")!.includes(scope));
    assertEquals(params.has("code"), false);
  }));

test("wire text: characters that error_description does not allow are replaced, all others stay (OAuth 2.1 §4.1.2.1)", () => {
  const all = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
  for (const [code, character] of all.entries()) {
    const allowed = code >= 0x20 && code <= 0x7e && character !== '"' && character !== "\\";
    assertMatch(wireText(character), wireCharacters);
    assertEquals(wireText(character) === character, allowed);
  }
  assertMatch(wireText("\u2028🙂\ud800"), wireCharacters);
});
