/** What a sign-out ends immediately, and what outlives it. */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_openid.ts";
import { createBrowser } from "../../world.ts";
import {
  allAlive,
  allDead,
  answerOf,
  ask,
  inOpenId,
  livesOf,
  redeemAt,
  refresh,
  signIn,
} from "./openid_world.ts";

const it = testWith();

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`sign-out: immediately ends the ${accessTokens} access and refresh tokens of every client (OpenID Connect Back-Channel Logout §2.7)`, () =>
    inOpenId({ accessTokens }, async (world, browser) => {
      const app = await signIn(world, browser, "alice");
      const shop = await signIn(world, browser, "alice", { client_id: "shop" });
      const elsewhere = await signIn(world, createBrowser(world), "alice");
      assertEquals([await livesOf(world, app), await livesOf(world, shop, "shop")], [allAlive, allAlive]);
      await browser.open(`/connect/logout?id_token_hint=${app.id_token}`);
      assertEquals([await livesOf(world, app), await livesOf(world, shop, "shop")], [allDead, allDead]);
      const response = await refresh(world, app.refresh_token);
      assertEquals([response.status, (await response.json()).error], [400, "invalid_grant"]);
      assertEquals(await livesOf(world, elsewhere), allAlive, "another browser's session stays");
    }));
}

it("sign-out: offline access stays and can be refreshed (OpenID Connect Back-Channel Logout §2.7)", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice", { scope: "openid offline_access" });
  await browser.open(`/connect/logout?id_token_hint=${tokens.id_token}`);
  assertEquals(await livesOf(world, tokens), allAlive);
  const response = await refresh(world, tokens.refresh_token);
  assertEquals(response.status, 200);
  assertEquals(await livesOf(world, await response.json()), allAlive);
});

it("sign-out: ends a code that was not redeemed yet (OpenID Connect Back-Channel Logout §2.7)", async ({ world, browser }) => {
  const first = await signIn(world, browser, "alice");
  const code = answerOf(await ask(world, browser)).get("code")!;
  await browser.open(`/connect/logout?id_token_hint=${first.id_token}`);
  const response = await redeemAt(world, "app", code);
  assertEquals([response.status, (await response.json()).error], [400, "invalid_grant"]);
});

it("sign-out: an open consent page gives no code afterwards", async ({ world, browser }) => {
  const page = await browser.submit(await ask(world, browser), { person: "alice" });
  await browser.submit(await browser.open("/connect/logout"), { decision: "sign_out" });
  const answer = await browser.submit(page, { decision: "approve" });
  assertEquals(answer.leftFor, undefined);
});
