/** What a sign-out ends, at once and everywhere, and what may outlive it (L12, M5). */

import { assertEquals } from "@std/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, type ServerOptions, sqliteStore } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { createBrowser, createWorld } from "../world.ts";
import {
  agree,
  allAlive,
  allDead,
  answerOf,
  ask,
  clientOf,
  inOpenId,
  inOpenIdWithOwnKeys,
  issuer,
  livesOf,
  people,
  redeemAt,
  refresh,
  signIn,
} from "./openid_world.ts";

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`sign-out: ends ${accessTokens} access, refresh and userinfo of every client at once (L12)`, async () => {
    await inOpenId({ accessTokens }, async (world, browser) => {
      const app = await signIn(world, browser, "alice");
      const shop = await signIn(world, browser, "alice", { client_id: "shop" });
      const elsewhere = await signIn(world, createBrowser(world), "alice");
      assertEquals([await livesOf(world, app), await livesOf(world, shop, "shop")], [allAlive, allAlive]);
      await browser.open(`/connect/logout?id_token_hint=${app.id_token}`);
      assertEquals([await livesOf(world, app), await livesOf(world, shop, "shop")], [allDead, allDead]);
      const response = await refresh(world, app.refresh_token);
      assertEquals([response.status, (await response.json()).error], [400, "invalid_grant"]);
      assertEquals(await livesOf(world, elsewhere), allAlive, "another browser's sign-in goes on");
    });
  });
}

test("sign-out: offline access stays, and can still be refreshed (L12, A82)", async () => {
  await inOpenId({}, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice", { scope: "openid offline_access" });
    await browser.open(`/connect/logout?id_token_hint=${tokens.id_token}`);
    assertEquals(await livesOf(world, tokens), allAlive);
    const response = await refresh(world, tokens.refresh_token);
    assertEquals(response.status, 200);
    assertEquals(await livesOf(world, await response.json()), allAlive);
  });
});

test("sign-out: a code that nobody redeemed yet is dead, too (L12)", async () => {
  await inOpenId({}, async (world, browser) => {
    const first = await signIn(world, browser, "alice");
    const code = answerOf(await ask(world, browser)).get("code")!;
    await browser.open(`/connect/logout?id_token_hint=${first.id_token}`);
    const response = await redeemAt(world, "app", code);
    assertEquals([response.status, (await response.json()).error], [400, "invalid_grant"]);
  });
});

test("sign-out: a consent page that was open cannot be answered any more", async () => {
  await inOpenId({}, async (world, browser) => {
    const page = await browser.submit(await ask(world, browser), { person: "alice" });
    await browser.submit(await browser.open("/connect/logout"), { decision: "sign_out" });
    const answer = await browser.submit(page, { decision: "approve" });
    assertEquals(answer.leftFor, undefined);
  });
});

const stores = {
  memory: memoryStore,
  SQLite: (folder: string) => sqliteStore(join(folder, "postern.db")),
} as const;

const sqlite = await import("node:sqlite").catch(() => undefined);

for (const [name, open] of Object.entries(stores)) {
  const says = `sign-out: another server on the same ${name} store sees it at once (L12)`;
  if (name === "SQLite" && sqlite === undefined) {
    test.skip(says, "this runtime has no node:sqlite");
    continue;
  }
  test(says, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    const store = await open(folder);
    await inOpenIdWithOwnKeys({ store }, async (world, browser) => {
      const options: ServerOptions = {
        issuer,
        alg: "ES256",
        people,
        clients: [clientOf("app"), clientOf("shop")],
        store,
        now: () => world.clock.now,
      };
      const second = createWorld(options, {});
      const tokens = await signIn(world, browser, "alice");
      assertEquals(await livesOf(second, tokens), allAlive);
      // The sign-out reaches the other one: the browser does not know that there are two.
      const there = createBrowser(second);
      for (const [cookie, value] of browser.cookies) there.cookies.set(cookie, value);
      await there.open(`/connect/logout?id_token_hint=${tokens.id_token}`);
      assertEquals(await livesOf(world, tokens), allDead);
      await second.close();
    });
    await store.close();
    await rm(folder, { recursive: true });
  });
}

test("sign-out: somebody who is removed from the people ends like a sign-out", async () => {
  const store = memoryStore();
  let tokens = { access_token: "", refresh_token: "", id_token: "" };
  await inOpenId({ store }, async (world, browser) => {
    tokens = await signIn(world, browser, "alice", { scope: "openid offline_access" });
    assertEquals(answerOf(await agree(browser, await ask(world, browser), "alice")).has("code"), true);
  });
  await inOpenId({ store, people: people.slice(1) }, async (world) => {
    assertEquals(await livesOf(world, tokens), allDead);
  });
});
