/**
 * What an authorization server owes MCP clients (MCP authorization 2026-07-28): `resource`, and a step-up. The rules for
 * the API are in tests/mock/resources and mcp_scenarios.ts, and the others in tests/oauth.
 */

import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { claimsOf, readTokens, refresh } from "../tokens/bearer.ts";
import { inWorld } from "../world.ts";

const api = "https://api.test/mcp";

test("mcp: resource is taken at authorize, token and refresh, and becomes the audience", () =>
  inWorld({}, async (world) => {
    const audienceOf = (token: string) => claimsOf(token)["aud"];
    for (const resource of [api, `${api}/`, "https://api.test", "https://api.test/"]) {
      const tokens = await readTokens(await world.redeem(await world.code({ resource }), { resource }));
      assertEquals(audienceOf(tokens.access_token), resource);
      const refreshed = await readTokens(await refresh(world, tokens.refresh_token, { resource }));
      assertEquals(audienceOf(refreshed.access_token), resource);
    }
    const code = await world.code({ resource: api });
    const other = await world.redeem(code, { resource: "https://other.test" });
    assertEquals((await other.json()).error, "invalid_target");
  }));

test("mcp: a step-up with more scope gets a token, and leaves the earlier grant alone", () =>
  inWorld({}, async (world) => {
    const redeem = async (scope: string) =>
      await readTokens(await world.redeem(await world.code({ scope, resource: api })));
    const first = await redeem("read");
    const second = await redeem("read write");
    assertEquals([first.scope, second.scope], ["read", "read write"]);
    assertEquals((await refresh(world, first.refresh_token)).status, 200);
  }));
