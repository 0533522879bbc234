/** The authorization response: exactly these parameters, in allowed characters. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { wireText } from "../../../src/server/oauth/contracts/refusals.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { callbackParams, inWorld, redirectUri } from "../../world.ts";
import { assertCode, wireCharacters } from "./refusals.ts";

const it = testWith();

for (const response_mode of [undefined, "query"]) {
  it(`authorization response: with ${response_mode ?? "no"} response_mode, the query has code, state and iss alone (OAuth 2.1 §4.1.2)`, async ({ world }) => {
    const response = await world.authorize({ nonce: "n-0S6_WzA2Mj", login_hint: "bob", response_mode });
    const url = new URL(response.headers.get("location")!);
    assertEquals([url.origin + url.pathname, url.hash], [redirectUri, ""]);
    const { code: _code, ...others } = Object.fromEntries(url.searchParams);
    assertEquals([...url.searchParams.keys()], ["code", "state", "iss"]);
    assertEquals(others, { state: "af0ifjsldkj", iss: "https://as.test" });
  });
}

it("authorization response: a redirect has status 303 and no-store, after GET and after POST (OAuth 2.1 §1.6, §3.2.3)", async ({ world }) => {
  const form = world.authorizeUrl().split("?")[1]!;
  for (const response of [await world.authorize(), await world.post("/oauth2/authorize", form)]) {
    assertCode(response);
    assertEquals(response.headers.get("cache-control"), "no-store");
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
