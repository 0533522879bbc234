/** RP-initiated logout: when the server asks, its form, what a sign-out ends, and where the browser goes afterwards. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { testWith } from "./test_in_openid.ts";
import { createBrowser, type Page, type Params } from "../../world.ts";
import {
  allAlive,
  allDead,
  answerOf,
  ask,
  inOpenId,
  isSignedIn,
  issuer,
  livesOf,
  logOut,
  redeemAt,
  refresh,
  screenOf,
  signIn,
  signInBoth,
} from "./openid_world.ts";
import { test } from "../../runner.ts";

const it = testWith();

const bye = "https://app.example/bye";

for (const method of ["GET", "POST"]) {
  it(`logout: ${method} with a hint of this session ends it without asking and returns the state (OpenID Connect RP-Initiated Logout §2)`, async ({ world, browser }) => {
    const { id_token } = await signIn(world, browser, "alice");
    const params = { id_token_hint: id_token, post_logout_redirect_uri: bye, state: "a b&c" };
    const page = await logOut(browser, params, method);
    assertEquals(page.leftFor, `${bye}?state=a+b%26c`);
    assertFalse(await isSignedIn(world, browser));
  });
}

it("logout: without a hint the server asks, and a confirmation ends the session (OpenID Connect RP-Initiated Logout §2)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  const page = await logOut(browser);
  assertEquals([page.status, screenOf(page)], [200, "sign_out"]);
  assertStringIncludes(page.html, "Alice Adams");
  assert(await isSignedIn(world, browser));
  const out = await browser.submit(page, { decision: "sign_out" });
  assertEquals([out.status, screenOf(out)], [200, "other"]);
  assertFalse(await isSignedIn(world, browser));
});

it("logout: the journal names the person who signs out, and nobody while several are signed in", async ({ world, browser }) => {
  const { alice } = await signInBoth(world, browser);
  const subject = () => world.journal.at(-1)!.facts.subject;
  await logOut(browser);
  assertEquals(subject(), undefined);
  await logOut(browser, { id_token_hint: alice.id_token });
  assertEquals(subject(), "subject-of-a");
  await browser.submit(await logOut(browser), { decision: "sign_out" });
  assertEquals(subject(), "subject-of-b");
});

it("logout: without a state none is added, and a registered query stays (OpenID Connect RP-Initiated Logout §2)", async ({ world, browser }) => {
  const { id_token } = await signIn(world, browser, "alice");
  const plain = await logOut(browser, { id_token_hint: id_token, post_logout_redirect_uri: bye });
  assertEquals(plain.leftFor, bye);
  const params = { id_token_hint: id_token, post_logout_redirect_uri: `${bye}?from=as`, state: "1" };
  assertEquals((await logOut(browser, params)).leftFor, `${bye}?from=as&state=1`);
});

it("logout: staying signed in changes nothing and does not redirect (OpenID Connect RP-Initiated Logout §2)", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice");
  const page = await logOut(browser, { client_id: "app", post_logout_redirect_uri: bye });
  for (const decision of ["stay", "approve", undefined]) {
    const stayed = await browser.submit(page, { decision });
    assertEquals([stayed.leftFor, stayed.status], [undefined, 200]);
    assertEquals(await livesOf(world, tokens), allAlive);
  }
});

it("logout: the question and the journal name the client that asks", async ({ world, browser }) => {
  const { id_token } = await signIn(world, browser, "alice");
  const asked = [[{ client_id: "shop" }, "shop"], [{}, undefined], [
    { id_token_hint: id_token },
    "app",
  ]] as const;
  for (const [params, client] of asked) {
    const { html } = await logOut(browser, params);
    assertEquals(world.journal.at(-1)!.facts.clientId, client);
    assertEquals(html.includes("shop"), client === "shop");
  }
});

it("logout: after a confirmation the registered URI gets the state (OpenID Connect RP-Initiated Logout §3, §2)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  const page = await logOut(browser, { client_id: "app", post_logout_redirect_uri: bye, state: "s" });
  assertEquals(screenOf(page), "sign_out");
  assertEquals((await browser.submit(page, { decision: "sign_out" })).leftFor, `${bye}?state=s`);
});

it("logout: with a hint of another browser's session, the server asks (OpenID Connect RP-Initiated Logout §2)", async ({ world, browser }) => {
  const elsewhere = await signIn(world, createBrowser(world), "alice");
  const here = await signIn(world, browser, "alice");
  const page = await logOut(browser, { id_token_hint: elsewhere.id_token });
  assertEquals(screenOf(page), "sign_out");
  assertEquals(await livesOf(world, elsewhere), allAlive);
  assertEquals(await livesOf(world, here), allAlive);
});

it("logout: a client_id other than the hint's is an error without a redirect (OpenID Connect RP-Initiated Logout §2)", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice");
  for (const client_id of ["shop", "unknown"]) {
    const page = await logOut(browser, {
      id_token_hint: tokens.id_token,
      client_id,
      post_logout_redirect_uri: `https://${client_id}.example/bye`,
    });
    assertEquals([page.status, page.leftFor], [400, undefined]);
    assertEquals(world.lastRefusal()?.reason, "hint_of_another_client");
    assertEquals(await livesOf(world, tokens), allAlive);
  }
});

it("logout: an unknown client is named in the journal, unless its id is a secret (OpenID Connect RP-Initiated Logout §2)", async ({ world, browser }) => {
  const ids = [["unknown", "unknown"], ["the secret of shop", "[redacted]"]] as const;
  for (const [client_id, received] of ids) {
    const page = await logOut(browser, { client_id });
    const refusal = world.lastRefusal();
    assertEquals([page.status, refusal?.reason, refusal?.received], [400, "client_unknown", received]);
  }
});

it("logout: a hint that is no ID token of this server is refused with the rule of logout, not of authorization requests (OpenID Connect RP-Initiated Logout §2)", async ({ world, browser }) => {
  const encrypted = "e30.a.b.c.d";
  for (const [hint, reason] of [["x", "hint_not_ours"], [encrypted, "hint_encrypted"]] as const) {
    const page = await logOut(browser, { id_token_hint: hint });
    const { reason: given, spec } = world.lastRefusal()!;
    assertEquals([page.status, given, spec], [400, reason, "RP-Initiated Logout §2"]);
    await ask(world, browser, { id_token_hint: hint });
    assertEquals([world.lastRefusal()?.reason, world.lastRefusal()?.spec], [
      reason,
      "OpenID Connect Core §3.1.2.1",
    ]);
  }
});

it("logout: an unregistered URI, and any URI without a client, gets no redirect (OpenID Connect RP-Initiated Logout §3)", async ({ world, browser }) => {
  const { id_token } = await signIn(world, browser, "alice");
  // Without a session there is no question, so a right URI would be followed at once.
  const leaves = async (params: Params) => (await logOut(createBrowser(world), params)).leftFor;
  assertEquals(await leaves({ post_logout_redirect_uri: bye }), undefined);
  assertEquals(world.lastRefusal()?.reason, "post_logout_uri_without_client");
  const unregistered = [
    "https://evil.example/bye",
    "https://app.example/bye/",
    "https://app.example/cb",
    "https://shop.example/bye",
  ];
  for (const post_logout_redirect_uri of unregistered) {
    for (const named of [{ client_id: "app" }, { id_token_hint: id_token }]) {
      assertEquals(await leaves({ ...named, post_logout_redirect_uri }), undefined, post_logout_redirect_uri);
      assertEquals(world.lastRefusal()?.reason, "post_logout_uri_unregistered", post_logout_redirect_uri);
    }
  }
});

it("logout: without a session it is no error (OpenID Connect RP-Initiated Logout §4)", async ({ world, browser }) => {
  const plain = await logOut(browser);
  assertEquals([plain.status, screenOf(plain)], [200, "other"]);
  const { id_token } = await signIn(world, browser, "alice");
  await logOut(browser, { id_token_hint: id_token });
  const again = await logOut(browser, { id_token_hint: id_token, post_logout_redirect_uri: bye, state: "x" });
  assertEquals(again.leftFor, `${bye}?state=x`);
});

it("logout: with several people signed in, a hint signs out the person it names (OpenID Connect RP-Initiated Logout §2)", async ({ world, browser }) => {
  const { alice, bob } = await signInBoth(world, browser);
  const page = await logOut(browser, { id_token_hint: alice.id_token });
  assertEquals([await livesOf(world, alice), await livesOf(world, bob)], [allDead, allAlive]);
  assertFalse(/nobody/i.test(page.html), "the page must not say that no person is signed in, because bob is");
});

it("logout: a confirmation signs out all people whom the page names (OpenID Connect RP-Initiated Logout §2)", async ({ world, browser }) => {
  const { alice, bob } = await signInBoth(world, browser);
  const page = await logOut(browser);
  assertMatch(page.html, /Alice Adams[\s\S]*Bob Brown/);
  await browser.submit(page, { decision: "sign_out" });
  assertEquals([await livesOf(world, alice), await livesOf(world, bob)], [allDead, allDead]);
});

it("logout: a repeated parameter is refused", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice");
  const page = await logOut(browser, { id_token_hint: [tokens.id_token, tokens.id_token] });
  assertEquals([page.status, world.lastRefusal()?.reason], [400, "repeated_parameter"]);
  assertEquals(await livesOf(world, tokens), allAlive);
});

it("logout: HEAD does not sign out (RFC 9110 §9.2.1)", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const url = `${issuer}/connect/logout?id_token_hint=${tokens.id_token}`;
  await world.fetch(new Request(url, { method: "HEAD", headers: { cookie } }));
  assertEquals(await livesOf(world, tokens), allAlive);
});

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
  assertEquals(world.lastRefusal()?.reason, "sign_out_form_not_ours");
  assert(tokens.id_token.length > 0 && await isSignedIn(world, browser));
});

it("logout: an encrypted sign-out is not accepted as an encrypted authorization request, nor the reverse", async ({ world, browser }) => {
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
