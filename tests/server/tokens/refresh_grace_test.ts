/** The grace window: a client that lost the answer gets the same successor again, never a second one. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { countingStore } from "../../security/counting_store.ts";
import { testInWorld } from "../../test_in_world.ts";
import {
  assertRefused,
  bearerClients,
  opensUserinfo,
  readTokens,
  refresh,
  refusalOf,
  tokensOf,
} from "./bearer.ts";

const openid = { scope: "openid" };

const store = countingStore();
const it = testInWorld({ clients: bearerClients, lifetimes: { refreshGrace: 10 }, store });

it("refresh grace: the last token gives the same successor again (RFC 9700 §4.14.2)", async (world) => {
  const a = await tokensOf(world, openid);
  const b = await readTokens(await refresh(world, a.refresh_token));
  world.clock.advance(9);
  store.forget();
  const again = await readTokens(await refresh(world, a.refresh_token));
  assertEquals(store.writes, [], "many requests may send it at the same time");
  assertEquals(again.refresh_token, b.refresh_token);
  assertNotEquals(again.access_token, b.access_token);
  for (const { access_token } of [b, again]) assert(await opensUserinfo(world, access_token));
  const c = await readTokens(await refresh(world, again.refresh_token));
  // A token two generations back is always a reuse.
  await assertRefused(world, refresh(world, a.refresh_token), "400 invalid_grant refresh_reused");
  assertEquals(await opensUserinfo(world, c.access_token), false);
});

it("refresh grace: it ends after its seconds, and use does not prolong it (RFC 9700 §4.14.2)", async (world) => {
  const a = await tokensOf(world, openid);
  const b = await readTokens(await refresh(world, a.refresh_token));
  world.clock.advance(6);
  await readTokens(await refresh(world, a.refresh_token));
  world.clock.advance(4);
  assertEquals((await refusalOf(world, refresh(world, a.refresh_token)))[2], "refresh_reused");
  assertEquals((await refusalOf(world, refresh(world, b.refresh_token)))[2], "refresh_revoked");
});

it("refresh grace: another client and a wider scope are refused within it (RFC 9700 §4.14.2)", async (world) => {
  const a = await tokensOf(world, openid);
  const b = await readTokens(await refresh(world, a.refresh_token));
  const other = refresh(world, a.refresh_token, { client_id: "other" });
  assertEquals((await refusalOf(world, other))[2], "refresh_of_another_client");
  const more = refresh(world, a.refresh_token, { scope: "openid more" });
  assertEquals((await refusalOf(world, more))[1], "invalid_scope");
  await readTokens(await refresh(world, b.refresh_token));
});

it("refresh grace: does not apply to an ended grant (OAuth 2.1 §4.3.1)", async (world) => {
  const a = await tokensOf(world, openid);
  const b = await readTokens(await refresh(world, a.refresh_token));
  await world.post("/oauth2/revoke", { client_id: "public", token: b.refresh_token });
  assertEquals((await refusalOf(world, refresh(world, a.refresh_token)))[2], "refresh_revoked");
});
