/** A person whose account is disabled: at the sign-in page, with sign-ins and tokens from before, and without pages. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { test } from "../../runner.ts";
import { createBrowser, createWorld, inWorld, type WorldOptions } from "../../world.ts";

const words = "This account is disabled, so it cannot sign in.";

const people = (disabled: boolean) => [
  { username: "alice", disabled },
  { username: "bob" },
  { username: "carol", password: "open sesame", disabled },
];

test("disabled person: one click does not sign in, and the page says why", () =>
  inWorld({ login: "picker", people: people(true) }, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
    assertEquals(page.status, 400);
    assertStringIncludes(page.html, words);
    const { reason, received } = world.lastRefusal()!;
    assertEquals([reason, received], ["person_disabled", "alice"]);
    const next = await browser.submit(page, { person: "bob" });
    assertEquals((await browser.submit(next, { decision: "approve" })).leftFor?.includes("code="), true);
  }));

test("disabled person: the page says so for the right password only", () =>
  inWorld({ login: "picker", people: people(true) }, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl());
    const wrong = await browser.submit(page, { username: "carol", password: "wrong" });
    assertEquals([wrong.html.includes(words), world.lastRefusal()?.reason], [false, "wrong_password"]);
    const right = await browser.submit(page, { username: "carol", password: "open sesame" });
    assertEquals([right.html.includes(words), world.lastRefusal()?.reason], [true, "person_disabled"]);
  }));

test("disabled person: sign-ins and tokens from before have no effect while the account is disabled", async () => {
  const store = memoryStore();
  const open = (disabled: boolean, more: WorldOptions = {}) =>
    createWorld({ store, login: "picker", people: people(disabled), ...more });
  const before = open(false);
  const browser = createBrowser(before);
  const consent = await browser.submit(await browser.open(before.authorizeUrl({ scope: "openid" })), {
    person: "alice",
  });
  const { leftFor } = await browser.submit(consent, { decision: "approve" });
  const code = new URL(leftFor!).searchParams.get("code")!;
  const tokens = await (await before.redeem(code)).json();

  const during = open(true);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  assertEquals((await during.get("/userinfo", headers)).status, 401);
  const refresh = { grant_type: "refresh_token", client_id: "public", refresh_token: tokens.refresh_token };
  assertEquals((await during.post("/oauth2/token", refresh)).status, 400);
  assertEquals(
    [during.lastRefusal()?.reason, during.lastRefusal()?.received],
    ["refresh_grant_ended", "person_disabled"],
  );
  const later = createBrowser(during);
  for (const [name, value] of browser.cookies) later.cookies.set(name, value);
  const silent = await later.open(during.authorizeUrl({ scope: "openid", prompt: "none" }));
  assertEquals(new URL(silent.leftFor!).searchParams.get("error"), "login_required");

  assertEquals((await open(false).get("/userinfo", headers)).status, 200);
});

test("disabled person: automatic sign-in takes the first other person, and refuses a disabled one that is named", async () => {
  await inWorld({ login: "auto", people: people(true) }, async (world) => {
    await world.code();
    assertEquals(world.journal.at(-1)?.facts.subject, "bob");
  });
  await using world = createWorld({ login: "auto:alice", people: people(true) });
  const location = (await world.authorize()).headers.get("location") ?? "";
  assertEquals(new URL(location).searchParams.get("error"), "access_denied");
  assertEquals(world.lastRefusal()?.reason, "person_disabled");
});
