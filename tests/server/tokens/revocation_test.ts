/** Revocation: takes effect immediately at every server, and only the token's client can revoke. */

import { assert, assertEquals } from "@std/assert";
import { memoryStore } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { withTwoServers } from "../../two_servers.ts";
import { createWorld, type World } from "../../world.ts";
import {
  asBasic,
  assertRefused,
  bearerClients,
  isActive,
  opensUserinfo,
  readTokens,
  refresh,
  revoke,
  tokensOf,
} from "./bearer.ts";

const options = { clients: bearerClients };
const asked = { scope: "openid", client_id: "basic" };

async function requireRevoked(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals([response.status, await response.text()], [200, "{}"]);
  assertEquals(response.headers.get("cache-control"), "no-store");
}

/** Runs a test with two servers on one store. */
function inTwoWorlds(name: string, work: (one: World, other: World) => Promise<void>): void {
  for (const accessTokens of ["jwt", "opaque"] as const) {
    test(`${name}, ${accessTokens}`, () =>
      withTwoServers({ ...options, accessTokens }, ({ first, second }) => work(first, second)));
  }
}

inTwoWorlds(
  "revocation: of a refresh token ends the whole grant, also at a second server (RFC 7009 §2, §2.1)",
  async (one, other) => {
    const first = await tokensOf(one, asked, asBasic);
    const second = await readTokens(await refresh(other, first.refresh_token, {}, asBasic));
    const tokens = [first.access_token, second.access_token];
    for (const token of tokens) {
      assert(await opensUserinfo(other, token));
      assert(await isActive(other, token));
    }
    await requireRevoked(revoke(one, second.refresh_token, {}, asBasic));
    for (const world of [one, other]) {
      for (const token of tokens) {
        assertEquals(await opensUserinfo(world, token), false);
        assertEquals(await isActive(world, token), false);
      }
      assertEquals(await isActive(world, second.refresh_token), false);
      const asked = refresh(world, second.refresh_token, {}, asBasic);
      await assertRefused(world, asked, "400 invalid_grant refresh_revoked");
    }
    // RFC 7009 §2.2: revoking a revoked token succeeds.
    await requireRevoked(revoke(other, second.refresh_token, {}, asBasic));
  },
);

inTwoWorlds(
  "revocation: of an access token ends that token only, also at a second server (RFC 7009 §2, §2.1)",
  async (one, other) => {
    const first = await tokensOf(one, asked, asBasic);
    const second = await readTokens(await refresh(one, first.refresh_token, {}, asBasic));
    await requireRevoked(revoke(one, first.access_token, {}, asBasic));
    for (const world of [one, other]) {
      assertEquals(await opensUserinfo(world, first.access_token), false);
      assertEquals(await isActive(world, first.access_token), false);
      assert(await opensUserinfo(world, second.access_token));
      assert(await isActive(world, second.refresh_token));
    }
    await requireRevoked(revoke(other, first.access_token, {}, asBasic));
    await readTokens(await refresh(other, second.refresh_token, {}, asBasic));
  },
);

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`revocation: an ended token stays ended at a server whose clock is two minutes behind, ${accessTokens} (RFC 7009 §2)`, async () => {
    const clocks = { ...options, accessTokens, difference: -119, lifetimes: { accessToken: 300 } };
    await withTwoServers(clocks, async ({ first, second, advance }) => {
      // Before the token expires by the clock of the first server, and after that.
      for (const revokedAt of [299, 301]) {
        const { access_token } = await tokensOf(first, asked, asBasic);
        advance(revokedAt);
        assert(await isActive(second, access_token));
        await requireRevoked(revoke(first, access_token, {}, asBasic));
        assertEquals(await isActive(second, access_token), false);
        advance(415 - revokedAt);
        // What the first server writes now removes what has expired by its clock.
        await tokensOf(first, asked, asBasic);
        assertEquals(await isActive(second, access_token), false);
        assertEquals(await opensUserinfo(second, access_token), false);
      }
    });
  });
}

test("introspection: a server whose clock is ahead ends no refresh token of another server early (RFC 7662 §2.2)", async () => {
  const clocks = { ...options, difference: 50, lifetimes: { refreshIdle: 300, refreshAbsolute: 300 } };
  await withTwoServers(clocks, async ({ first, second, advance }) => {
    const { refresh_token } = await tokensOf(first, asked, asBasic);
    advance(299);
    assertEquals([await isActive(first, refresh_token), await isActive(second, refresh_token)], [true, true]);
    advance(70);
    assertEquals([await isActive(first, refresh_token), await isActive(second, refresh_token)], [
      false,
      false,
    ]);
  });
});

const it = testInWorld(options);

for (const hint of ["access_token", "refresh_token", "x"]) {
  it(`revocation: the hint ${hint} does not change the result (RFC 7009 §2.1)`, async (world) => {
    const { access_token, refresh_token } = await tokensOf(world, { scope: "openid" });
    await requireRevoked(revoke(world, access_token, { token_type_hint: hint }));
    assertEquals(await opensUserinfo(world, access_token), false);
    await requireRevoked(revoke(world, refresh_token, { token_type_hint: hint }));
    assertEquals((await refresh(world, refresh_token)).status, 400);
  });
}

it("revocation: of an earlier refresh token of the chain ends the grant (RFC 7009 §2)", async (world) => {
  const first = await tokensOf(world, { scope: "openid" });
  const second = await readTokens(await refresh(world, first.refresh_token));
  await requireRevoked(revoke(world, first.refresh_token));
  assertEquals(await opensUserinfo(world, second.access_token), false);
  assertEquals((await refresh(world, second.refresh_token)).status, 400);
});

it("revocation: of an unknown or an expired token succeeds (RFC 7009 §2.1)", async (world) => {
  const { access_token, refresh_token } = await tokensOf(world, { scope: "openid" });
  const [grantId, , family] = refresh_token.split(".");
  const nothing = [
    "x",
    "a.b.c",
    "é",
    " ",
    "x".repeat(10_000),
    `${grantId}.1.${family}.${"A".repeat(22)}`,
    `${grantId}.${"A".repeat(43)}`,
    access_token.slice(0, -5),
  ];
  for (const token of nothing) await requireRevoked(revoke(world, token));
  assert(await opensUserinfo(world, access_token));
  world.clock.advance(3600);
  await requireRevoked(revoke(world, access_token));
  await readTokens(await refresh(world, refresh_token));
});

it("revocation: without a token the request is refused (RFC 7009 §2.1)", async (world) => {
  for (const form of ["client_id=public", "client_id=public&token=", "client_id=public&token=a&token=b"]) {
    const reason = form.includes("a&") ? "repeated_parameter" : "missing_parameter";
    await assertRefused(world, world.post("/oauth2/revoke", form), `400 invalid_request ${reason}`);
  }
  assertEquals((await world.get("/oauth2/revoke?token=a&client_id=public")).status, 405);
});

for (const kind of ["access_token", "refresh_token"] as const) {
  it(`revocation: of another client's ${kind} is refused, and it stays valid (RFC 7009 §2.1)`, async (world) => {
    const tokens = await tokensOf(world, asked, asBasic);
    for (const client_id of ["public", "other"]) {
      const asked = revoke(world, tokens[kind], { client_id });
      await assertRefused(world, asked, "400 unauthorized_client token_of_another_client");
    }
    assert(await opensUserinfo(world, tokens.access_token));
    await readTokens(await refresh(world, tokens.refresh_token, {}, asBasic));
  });

  it(`revocation: a confidential client must authenticate to revoke its ${kind} (RFC 7009 §2.1)`, async (world) => {
    const tokens = await tokensOf(world, asked, asBasic);
    for (const attempt of [{ client_id: "basic" }, { client_id: "unknown" }]) {
      const response = await revoke(world, tokens[kind], attempt);
      assertEquals([response.status, (await response.json()).error], [401, "invalid_client"]);
      assert(response.headers.has("www-authenticate"));
    }
    assert(await opensUserinfo(world, tokens.access_token));
    await requireRevoked(revoke(world, tokens[kind], {}, asBasic));
    assertEquals(await isActive(world, tokens[kind]), false);
  });
}

test("revocation: of an access token that every server knows to be expired writes no record", async () => {
  const store = memoryStore();
  await using world = createWorld({ ...options, store });
  const { access_token } = await tokensOf(world, { scope: "openid" });
  world.clock.advance(3600 + 120);
  await requireRevoked(revoke(world, access_token));
  for await (const _record of store.list!({ name: "revoked_token" })) {
    throw new Error("a record for an expired token");
  }
});
