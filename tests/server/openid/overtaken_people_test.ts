/** Records of people that another server changes between the read and the write: no change is lost. */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { overtakenStore } from "../overtaken_store.ts";
import {
  agree,
  allDead,
  ask,
  clientOf,
  inOpenId,
  livesOf,
  redeemAt,
  requestUrl,
  screenOf,
  signIn,
  signInBoth,
} from "./openid_world.ts";

const listening = (id: string) => clientOf(id, { backchannel_logout_uri: `https://${id}.example/logout` });

test("overtaken writes: a session keeps each sign-in, tells each client, and ends (OpenID Connect Back-Channel Logout §2.2)", async () => {
  const told: string[] = [];
  const fetch = (url: unknown) => {
    told.push(new URL(`${url}`).hostname);
    return Promise.resolve(new Response());
  };
  await inOpenId(
    {
      store: overtakenStore(),
      clients: [listening("app"), listening("shop")],
      fetch: fetch as typeof globalThis.fetch,
    },
    async (world, browser) => {
      const { alice, bob } = await signInBoth(world, browser);
      assertEquals(screenOf(await ask(world, browser)), "chooser");
      const page = await agree(
        browser,
        await browser.open(requestUrl(world, { client_id: "shop" })),
        "alice",
      );
      const code = new URL(page.leftFor!).searchParams.get("code")!;
      assertEquals((await redeemAt(world, "shop", code)).status, 200);
      await browser.submit(await browser.open("/connect/logout"), { decision: "sign_out" });
      assertEquals([...new Set(told)].sort(), ["app.example", "shop.example"]);
      for (const tokens of [alice, bob]) assertEquals(await livesOf(world, tokens), allDead);
    },
  );
});

test("overtaken writes: consents add up (OAuth 2.1 §7.3.1)", () =>
  inOpenId({ store: overtakenStore() }, async (world, browser) => {
    await signIn(world, browser, "alice", { scope: "read" });
    await signIn(world, browser, "alice", { scope: "write" });
    assertEquals(screenOf(await ask(world, browser, { scope: "read write" })), "client");
  }));
