/** Refresh tokens that stay the same when they are used (FAPI 2.0 §5.3.2.1-9), and how long clients can refresh. */

import { assert, assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { type ClientMetadata, createServer } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld, withoutClients, type World } from "../../world.ts";
import {
  asBasic,
  assertRefused,
  bearerClients,
  isActive,
  opensUserinfo,
  readTokens,
  refresh,
  refusalOf,
  signInAndApprove,
  type Tokens,
  tokensOf,
} from "./bearer.ts";
import { boundTokens, createProofKey, proof } from "./dpop.ts";

const redirect_uris = ["https://app.example/cb"];
const withoutRotation = { clients: bearerClients.slice(2), rotateRefreshTokens: false };
const openid = { scope: "openid", client_id: "basic" };

const again = (world: World, { refresh_token }: Tokens) => refresh(world, refresh_token, {}, asBasic);

const it = testInWorld(withoutRotation);

it("refresh without rotation: the token stays the same, and each access token is valid (FAPI 2.0 §5.3.2.1-9)", async (world) => {
  const first = await tokensOf(world, openid, asBasic);
  const second = await readTokens(await again(world, first));
  world.clock.advance(100);
  const third = await readTokens(await again(world, first));
  assertEquals([second.refresh_token, third.refresh_token], [first.refresh_token, first.refresh_token]);
  assertEquals(new Set([first, second, third].map((each) => each.access_token)).size, 3);
  for (const { access_token } of [first, second, third]) assert(await opensUserinfo(world, access_token));
  assert(await isActive(world, first.refresh_token));
});

test("refresh without rotation: the idle lifetime counts from the last use (OAuth 2.1 §4.3.3)", () =>
  inWorld({ ...withoutRotation, lifetimes: { refreshIdle: 100 } }, async (world) => {
    const first = await tokensOf(world, { ...openid, scope: "openid offline_access" }, asBasic);
    for (let use = 0; use < 3; use++) {
      world.clock.advance(99);
      await readTokens(await again(world, first));
    }
    world.clock.advance(100);
    await assertRefused(world, again(world, first), "400 invalid_grant refresh_expired");
  }));

test("refresh without rotation: the absolute lifetime ends the token (OAuth 2.1 §4.3.3)", async () => {
  const lifetimes = { refreshIdle: 100, refreshAbsolute: 150 };
  await using world = createWorld({ ...withoutRotation, lifetimes });
  const first = await tokensOf(world, { ...openid, scope: "openid offline_access" }, asBasic);
  world.clock.advance(90);
  await readTokens(await again(world, first));
  world.clock.advance(60);
  assertEquals((await refusalOf(world, again(world, first)))[2], "refresh_expired");
});

test("refresh without rotation: one client has it by rotate_refresh_tokens, and others rotate (FAPI 2.0 §5.3.2.1-9)", async () => {
  const clients = bearerClients.map((client): ClientMetadata =>
    client.client_id === "basic" ? { ...client, rotate_refresh_tokens: false } : client
  );
  await using world = createWorld({ clients });
  const kept = await tokensOf(world, openid, asBasic);
  assertEquals((await readTokens(await again(world, kept))).refresh_token, kept.refresh_token);
  const rotated = await tokensOf(world, { scope: "openid" });
  const next = await readTokens(await refresh(world, rotated.refresh_token));
  assertNotEquals(next.refresh_token, rotated.refresh_token);
  assertEquals((await refusalOf(world, refresh(world, rotated.refresh_token)))[2], "refresh_reused");
});

test("refresh without rotation: a client rotates by rotate_refresh_tokens true (OAuth 2.1 §4.3.1)", async () => {
  const clients = [{
    client_id: "basic",
    client_secret: "basic-secret",
    redirect_uris,
    rotate_refresh_tokens: true,
  }];
  await using world = createWorld({ clients, rotateRefreshTokens: false });
  const first = await tokensOf(world, openid, asBasic);
  await readTokens(await again(world, first));
  assertEquals((await refusalOf(world, again(world, first)))[2], "refresh_reused");
});

test("refresh without rotation: a public client keeps a token that is bound to its key (OAuth 2.1 §4.3.1)", async () => {
  const clients = [{
    client_id: "public",
    redirect_uris,
    dpop_bound_access_tokens: true,
    rotate_refresh_tokens: false,
  }];
  await using world = createWorld({ clients });
  const [key, other] = [await createProofKey(), await createProofKey()];
  const first = await boundTokens(key, world);
  const named = { client_id: "public" };
  const second = await readTokens(await refresh(world, first.refresh_token, named, await proof(key, world)));
  assertEquals(second.refresh_token, first.refresh_token);
  const stolen = refresh(world, first.refresh_token, named, await proof(other, world));
  assertEquals((await refusalOf(world, stolen))[2], "key_differs");
});

const rows = [
  ["the server", { rotateRefreshTokens: false }, "rotateRefreshTokens must not be false"],
  ["the client", {}, "clients\\[1\\]\\.rotate_refresh_tokens must not be false"],
] as const;
for (const [what, options, place] of rows) {
  test(`refresh without rotation: the start refuses it of ${what} for an unbound public client (OAuth 2.1 §4.3.1)`, () => {
    const clients: ClientMetadata[] = [
      { client_id: "app", client_secret: "secret", redirect_uris },
      {
        client_id: "page",
        redirect_uris,
        ...(what === "the client" ? { rotate_refresh_tokens: false } : {}),
      },
    ];
    const { message } = assertThrows(() => createServer({ clients, people: [], ...options })) as Error;
    assertMatch(message, new RegExp(`${place} for the public client page, .*OAuth 2\\.1 §4\\.3\\.1`));
  });
}

test("refresh without rotation: a public client whose tokens are all bound, or that gets none, may have it (OAuth 2.1 §4.3.1)", () => {
  const clients: ClientMetadata[] = [
    { client_id: "bound", redirect_uris, require_bound_access_tokens: true },
    { client_id: "dpop", redirect_uris, dpop_bound_access_tokens: true },
    { client_id: "mtls", redirect_uris, tls_client_certificate_bound_access_tokens: true },
    { client_id: "short", redirect_uris, grant_types: ["authorization_code"] },
  ];
  return createServer({ alg: "ES256", clients, people: [], mtls: {}, rotateRefreshTokens: false }).close();
});

test("refresh without rotation: an unbound token of a first-use public client is replaced (OAuth 2.1 §4.3.1)", () =>
  withoutClients({ rotateRefreshTokens: false }, async (world) => {
    const named = { client_id: "newcomer", redirect_uri: "http://localhost:3000/cb" };
    const first = await readTokens(await world.redeem(await world.code(named), named));
    const second = await readTokens(await refresh(world, first.refresh_token, named));
    assertNotEquals(second.refresh_token, first.refresh_token);
    assertEquals((await refusalOf(world, refresh(world, first.refresh_token, named)))[2], "refresh_reused");
  }));

const day = 86_400;
// An automatic sign-in of a caller without cookies has no session that could end.
const lifetimes = { refreshIdle: "10d", refreshAbsolute: "15d", session: "8h" } as const;
const options = { clients: bearerClients, refreshTokenExpiration: true, lifetimes };

function expiration(tokens: object): readonly unknown[] {
  return [Reflect.get(tokens, "refresh_token_timeout"), Reflect.get(tokens, "authorization_expires_in")];
}

async function supported(world: World): Promise<unknown> {
  const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  return metadata.refresh_token_expiration_types_supported;
}

test("refresh expiration: the idle timeout and the end of the authorization, also after a refresh", () =>
  inWorld(options, async (world) => {
    assertEquals(await supported(world), ["authorization", "token_timeout"]);
    const first = await tokensOf(world, { scope: "openid" });
    assertEquals(expiration(first), [10 * day, 15 * day]);
    world.clock.advance(9 * day);
    const second = await readTokens(await refresh(world, first.refresh_token));
    // The end of the authorization comes before ten more days.
    assertEquals(expiration(second), [6 * day, 6 * day]);
    world.clock.advance(6 * day - 1);
    const third = await readTokens(await refresh(world, second.refresh_token));
    assertEquals(expiration(third), [1, 1]);
    world.clock.advance(1);
    assertEquals((await refusalOf(world, refresh(world, third.refresh_token)))[2], "refresh_expired");
  }));

test("refresh expiration: an unused token ends when it says", () =>
  inWorld(options, async (world) => {
    for (const [seconds, status] of [[10 * day - 1, 200], [10 * day, 400]] as const) {
      const { refresh_token } = await tokensOf(world, { scope: "openid" });
      world.clock.advance(seconds);
      assertEquals((await refresh(world, refresh_token)).status, status);
    }
  }));

test("refresh expiration: without offline_access the authorization ends with the session", () =>
  inWorld({ ...options, login: "picker" }, async (world) => {
    for (const [scope, expected] of [["openid", 28_800], ["openid offline_access", 15 * day]] as const) {
      const { tokens } = await signInAndApprove(world, { scope });
      assertEquals(expiration(tokens), [Math.min(10 * day, expected), expected]);
    }
  }));

test("refresh expiration: a token response without a refresh token, and a server without the option, have none", () =>
  inWorld({ ...options, refreshTokenExpiration: false }, async (world) => {
    assertEquals(await supported(world), undefined);
    assertEquals(expiration(await tokensOf(world, { scope: "openid" })), [undefined, undefined]);
  }));
