/** Sessions: several people in one browser, the chooser, and planted cookies (SES). */

import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_openid.ts";
import { createBrowser } from "../../world.ts";
import {
  agree,
  allAlive,
  allDead,
  answerOf,
  ask,
  claimsOf,
  inOpenId,
  livesOf,
  screenOf,
  signIn,
  signInBoth,
  tokensOf,
} from "./openid_world.ts";

const it = testWith();

const sessionCookie = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].find(([name]) => name.includes("_session_"))!;

it("sessions: with two people signed in, the chooser offers both, another person and a denial", async ({ world, browser }) => {
  await signInBoth(world, browser);
  const page = await ask(world, browser);
  assertEquals(screenOf(page), "chooser");
  for (const words of ["Alice Adams", "alice@example.com", "Bob Brown", 'id="another-person"', 'id="deny"']) {
    assertStringIncludes(page.html, words);
  }
  for (const [who, sub] of [["bob", "subject-of-b"], ["alice", "subject-of-a"]] as const) {
    const answer = await browser.submit(await ask(world, browser), { account: who });
    assertEquals((await claimsOf(world, await tokensOf(world, answer))).sub, sub);
  }
});

it("sessions: each account keeps its own sid and auth_time", async ({ world, browser }) => {
  const { alice, bob } = await signInBoth(world, browser);
  const [first, second] = [await claimsOf(world, alice), await claimsOf(world, bob)];
  assert(first["sid"] !== second["sid"]);
  const answer = await browser.submit(await ask(world, browser), { account: "alice" });
  const later = await claimsOf(world, await tokensOf(world, answer));
  assertEquals([later["sid"], later["auth_time"]], [first["sid"], first["auth_time"]]);
});

it("sessions: who signs in again is signed in once, so that no chooser comes", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  await signIn(world, browser, "alice", { prompt: "login" });
  assertEquals(screenOf(await ask(world, browser)), "client");
});

it("chooser: choosing another person leads to sign-in for the same request", async ({ world, browser }) => {
  await signInBoth(world, browser);
  const page = await browser.submit(await ask(world, browser, { state: "kept" }), { account: "" });
  assertEquals(screenOf(page), "sign_in");
  const done = await agree(
    browser,
    await browser.submit(page, { username: "carol", password: "correct horse" }),
    "carol",
  );
  assertEquals(answerOf(done).get("state"), "kept");
  assertEquals((await claimsOf(world, await tokensOf(world, done))).sub, "subject-of-c");
});

it("chooser: a denial is access_denied", async ({ world, browser }) => {
  await signInBoth(world, browser);
  const answer = answerOf(await browser.submit(await ask(world, browser), { decision: "deny" }));
  assertEquals(answer.get("error"), "access_denied");
});

it("chooser: accepts only people who are signed in in this browser", async ({ world, browser }) => {
  await signInBoth(world, browser);
  for (const account of ["carol", "unknown", "ALICE", "subject-of-a", "__proto__"]) {
    assertEquals(screenOf(await browser.submit(await ask(world, browser), { account })), "sign_in", account);
  }
});

it("sessions: after sign-out the server refuses the old cookie", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  const [name, value] = sessionCookie(browser.cookies);
  await browser.submit(await browser.open("/connect/logout"), { decision: "sign_out" });
  const thief = createBrowser(world);
  thief.cookies.set(name, value);
  assertEquals(screenOf(await ask(world, thief)), "sign_in");
});

test("sessions: another person's sign-in neither prolongs nor revives an expired one", () =>
  inOpenId({ lifetimes: { session: 1800, accessToken: 7200 } }, async (world, browser) => {
    const old = await signIn(world, browser, "alice");
    world.clock.advance(1700);
    const bob = await signIn(world, browser, "bob", { login_hint: "bob" });
    world.clock.advance(200);
    assertEquals([await livesOf(world, old), await livesOf(world, bob)], [allDead, allAlive]);
    assertEquals(screenOf(await ask(world, browser)), "client", "only bob is left, so there is no chooser");
    const fresh = await signIn(world, browser, "alice", { login_hint: "alice" });
    assertEquals([await livesOf(world, old), await livesOf(world, fresh)], [allDead, allAlive]);
    assert((await claimsOf(world, fresh))["sid"] !== (await claimsOf(world, old))["sid"]);
  }));

it("home: shows the signed-in people and the sign-out link only in their browser", async ({ world, browser }) => {
  assertFalse((await browser.open("/")).html.includes('id="signed-in"'));
  await signInBoth(world, browser);
  const { html } = await browser.open("/");
  const notice = /<p class="notice" id="signed-in">(.*?)<\/p>/.exec(html)?.[1] ?? "";
  for (const words of ["Alice Adams", "Bob Brown", 'href="/connect/logout"']) {
    assertStringIncludes(notice, words);
  }
  assertFalse((await createBrowser(world).open("/")).html.includes('id="signed-in"'));
});
