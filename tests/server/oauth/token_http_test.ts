/** HTTP at the token endpoint: what it reads and ignores, and the form of every answer. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { inWorld } from "../../world.ts";
import { assertTokens } from "./refusals.ts";

const it = testWith();

it("token: unknown parameters change nothing, and empty ones are absent (OAuth 2.1 §3.2)", async ({ world }) => {
  const more = { foo: "bar", state: "x", scope: "", resource: "", client_secret: "" };
  const tokens = await assertTokens(await world.redeem(await world.code(), more));
  assertEquals(tokens["scope"], "read");
});

it("token: a success is JSON that is not cached, with token, type, lifetime and scope, and no empty member (OAuth 2.1 §3.2.3, §1.4.1)", async ({ world }) => {
  const response = await world.redeem(await world.code({ scope: "openid read" }));
  const headers = ["content-type", "cache-control", "pragma"].map((name) => response.headers.get(name));
  assertEquals(headers, ["application/json", "no-store", "no-cache"]);
  const tokens = await assertTokens(response);
  const always = ["access_token", "token_type", "expires_in", "scope", "refresh_token"];
  assertEquals(Object.keys(tokens), [...always, "id_token"]);
  // Only a request for openid gets an ID token.
  const plain = await assertTokens(await world.redeem(await world.code({ scope: "read" })));
  assertEquals(Object.keys(plain), always);
  for (const value of [...Object.values(tokens), ...Object.values(plain)]) assertNotEquals(value, "");
  assertEquals(tokens["token_type"], "Bearer");
  assertEquals(tokens["expires_in"], 3600);
  assertEquals(tokens["scope"], "openid read");
});

test("token: expires_in is a whole number of seconds at any time (OAuth 2.1 §3.2.3)", () =>
  inWorld({ lifetimes: { accessToken: 77 } }, async (world) => {
    world.clock.advance(0.987);
    const response = await world.redeem(await world.code());
    assertEquals(/"expires_in":77[,}]/.test(await response.text()), true);
  }));

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`token: ${accessTokens} tokens are printable and all different (OAuth 2.1 §7.7)`, () =>
    inWorld({ accessTokens }, async (world) => {
      const texts = new Set<string>();
      for (let count = 0; count < 5; count++) {
        const { access_token } = await assertTokens(await world.redeem(await world.code()));
        assert(/^[\x21-\x7e]{43,}$/.test(String(access_token)));
        texts.add(String(access_token));
      }
      assertEquals(texts.size, 5);
    }));
}
