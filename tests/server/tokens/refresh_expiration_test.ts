/** refreshTokenExpiration: token responses say how long the client can refresh (refresh-token-expiration-03). */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { inWorld, type World } from "../../world.ts";
import { bearerClients, readTokens, refresh, refusalOf, signInAndApprove, tokensOf } from "./bearer.ts";

const day = 86_400;
const lifetimes = { refreshIdle: "10d", refreshAbsolute: "15d", session: "20d" } as const;
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
  inWorld({ ...options, login: "picker", lifetimes: { ...lifetimes, session: "8h" } }, async (world) => {
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
