/** The sign-out question: only the same browser can answer its form, and its page cannot be framed (SES). */

import { assert, assertEquals } from "@std/assert";
import { testWith } from "./test_in_openid.ts";
import { createBrowser, type Page } from "../../world.ts";
import { allAlive, ask, isSignedIn, livesOf, logOut, screenOf, signIn } from "./openid_world.ts";

const it = testWith();

it("logout: a form of another browser or another site signs no person out", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice");
  const attacker = createBrowser(world);
  await signIn(world, attacker, "bob");
  const attackersPage = await logOut(attacker);
  assertEquals((await browser.submit(attackersPage, { decision: "sign_out" })).status, 403);
  const page = await logOut(browser);
  for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
    const answer = await browser.submit(page, { decision: "sign_out" }, headers);
    assert(
      answer.status === 403 || screenOf(answer) === "sign_out",
      "the form is neither refused nor asked for again",
    );
    assertEquals(await livesOf(world, tokens), allAlive);
  }
  assertEquals(screenOf(await logOut(browser, { decision: "sign_out" }, "POST")), "sign_out");
  assertEquals(await livesOf(world, tokens), allAlive);
});

it("logout: the question can be answered by POST only", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice");
  const page = await logOut(browser);
  const request = /name="request" value="([^"]*)"/.exec(page.html)![1]!;
  await logOut(browser, { request, decision: "sign_out" });
  assertEquals(await livesOf(world, tokens), allAlive);
});

it("logout: the question expires after an hour", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice", { scope: "openid offline_access" });
  const page = await logOut(browser);
  world.clock.advance(3600);
  assertEquals((await browser.submit(page, { decision: "sign_out" })).status, 403);
  assert(tokens.id_token.length > 0 && await isSignedIn(world, browser));
});

it("logout: a sealed sign-out is not accepted as a sealed authorization request, nor the reverse", async ({ world, browser }) => {
  const consent = await browser.submit(await ask(world, browser), { person: "alice" });
  const out = await logOut(browser);
  const moved = (page: Page, from: string, to: string) => ({ ...page, html: page.html.replaceAll(from, to) });
  const asLogout = await browser.submit(moved(consent, "/oauth2/consent", "/connect/logout"), {
    decision: "sign_out",
  });
  assertEquals(asLogout.status, 403);
  for (const path of ["/oauth2/consent", "/oauth2/account", "/oauth2/sign_in"]) {
    const answer = await browser.submit(moved(out, "/connect/logout", path), {
      decision: "approve",
      person: "alice",
    });
    assertEquals(answer.status, 403, path);
  }
});
