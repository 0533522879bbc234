/** Scope, resource, lifetime, person and client of refreshed tokens. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { inWorld } from "../../world.ts";
import {
  api,
  asBasic,
  bearerClients,
  claimsOf,
  isActive,
  opensUserinfo,
  readTokens,
  refresh,
  refusalOf,
  signInAndApprove,
  tokensOf,
} from "./bearer.ts";

const options = { clients: bearerClients };
const day = 86_400;

const it = testInWorld(options);

it("refresh: a narrowed access token does not narrow the next refresh token (OAuth 2.1 §4.3.1, §4.3.3)", async (world) => {
  const first = await tokensOf(world, { scope: "openid read write" });
  const narrow = await readTokens(await refresh(world, first.refresh_token, { scope: "read" }));
  assertEquals(narrow.scope, "read");
  assertEquals(claimsOf(narrow.access_token)["scope"], "read");
  assertEquals("id_token" in narrow, false);
  const whole = await readTokens(await refresh(world, narrow.refresh_token));
  assertEquals(whole.scope, "openid read write");
  assertEquals(claimsOf(whole.access_token)["scope"], "openid read write");
  assert("id_token" in whole);
});

it("refresh: a scope that the code's redemption left out is available to the refresh token (OAuth 2.1 §4.3.1)", async (world) => {
  const code = await world.code({ scope: "read write" });
  const first = await readTokens(await world.redeem(code, { scope: "read" }));
  assertEquals(first.scope, "read");
  assertEquals((await readTokens(await refresh(world, first.refresh_token))).scope, "read write");
});

it("refresh: a resource narrows one access token and not the next (RFC 8707 §2.2)", async (world) => {
  const resource = [api, "https://second.example/"];
  const first = await tokensOf(world, { resource });
  const narrow = await readTokens(await refresh(world, first.refresh_token, { resource: api }));
  assertEquals(claimsOf(narrow.access_token)["aud"], api);
  const whole = await readTokens(await refresh(world, narrow.refresh_token));
  assertEquals(claimsOf(whole.access_token)["aud"], resource);
});

it("refresh: a grant without a resource cannot get one (RFC 8707 §2.2)", async (world) => {
  const { refresh_token } = await tokensOf(world);
  assertEquals(
    (await refusalOf(world, refresh(world, refresh_token, { resource: api })))[1],
    "invalid_target",
  );
});

test("refresh: a late request is refused as expired, for as long as the idle lifetime (OAuth 2.1 §4.3.3)", () =>
  inWorld({ ...options, lifetimes: { refreshIdle: day } }, async (world) => {
    const { refresh_token } = await tokensOf(world);
    world.clock.advance(day);
    assertEquals((await refusalOf(world, refresh(world, refresh_token)))[2], "refresh_expired");
    world.clock.advance(day - 1);
    assertEquals((await refusalOf(world, refresh(world, refresh_token)))[2], "refresh_expired");
    world.clock.advance(1);
    assertEquals((await refusalOf(world, refresh(world, refresh_token)))[2], "refresh_unknown");
  }));

const rows = [["idle", { refreshIdle: 60 }], ["absolute", { refreshAbsolute: 60 }]] as const;
for (const [which, lifetimes] of rows) {
  test(`refresh: after its ${which} lifetime it is also inactive for introspection (OAuth 2.1 §4.3.3)`, () =>
    inWorld({ ...options, lifetimes }, async (world) => {
      const { refresh_token, access_token } = await tokensOf(world, { client_id: "basic" }, asBasic);
      const before = await (await world.post("/oauth2/introspect", { token: refresh_token }, asBasic)).json();
      assertEquals([before.active, before.exp], [true, world.clock.now + 60]);
      world.clock.advance(60);
      assertEquals((await refresh(world, refresh_token, {}, asBasic)).status, 400);
      assertEquals(await isActive(world, refresh_token), false);
      // The access token has its own lifetime.
      assert(await isActive(world, access_token));
    }));
}

test("refresh: an old token of an expired chain is refused as expired and revokes nothing (OAuth 2.1 §4.3.3)", () =>
  inWorld({ ...options, lifetimes: { refreshIdle: 60 } }, async (world) => {
    const first = await tokensOf(world, { scope: "openid" });
    const second = await readTokens(await refresh(world, first.refresh_token));
    world.clock.advance(61);
    assertEquals((await refusalOf(world, refresh(world, second.refresh_token)))[2], "refresh_expired");
    assertEquals((await refusalOf(world, refresh(world, first.refresh_token)))[2], "refresh_expired");
    assert(await opensUserinfo(world, second.access_token));
  }));

test("refresh: the ID token equals the first one except for its times and nonce (OpenID Connect Core §12.2)", () =>
  inWorld({ ...options, login: "picker" }, async (world) => {
    const { tokens } = await signInAndApprove(world, { scope: "openid", nonce: "n-0S6_WzA2Mj" });
    world.clock.advance(100);
    const next = await readTokens(await refresh(world, tokens.refresh_token));
    world.clock.advance(100);
    const last = await readTokens(await refresh(world, next.refresh_token));
    const [first, ...others] = [tokens, next, last].map(({ id_token }) => claimsOf(id_token));
    assertEquals(first!["nonce"], "n-0S6_WzA2Mj");
    for (const [index, claims] of others.entries()) {
      for (const name of ["iss", "sub", "aud", "auth_time", "amr", "acr", "azp", "sid"]) {
        assertEquals(claims[name], first![name], name);
      }
      assertEquals("nonce" in claims, false);
      assertEquals(claims["iat"], Number(first!["iat"]) + 100 * (index + 1));
      assertNotEquals(claims["at_hash"], first!["at_hash"]);
    }
    for (const { access_token } of [next, last]) {
      assertEquals(claimsOf(access_token)["auth_time"], first!["auth_time"]);
    }
  }));

test("refresh: it ends when the session expires (RFC 10017 §6.3.2.3)", () =>
  inWorld({ ...options, login: "picker", lifetimes: { session: 3600 } }, async (world) => {
    const { tokens } = await signInAndApprove(world, { scope: "openid" });
    world.clock.advance(3599);
    const next = await readTokens(await refresh(world, tokens.refresh_token));
    world.clock.advance(1);
    assertEquals((await refusalOf(world, refresh(world, next.refresh_token)))[2], "refresh_grant_ended");
    assertEquals(await opensUserinfo(world, next.access_token), false);
  }));
