/** RP-initiated logout: when the server asks, and where the browser goes afterwards. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { testWith } from "./test_in_openid.ts";
import { createBrowser, type Params } from "../../world.ts";
import {
  allAlive,
  allDead,
  isSignedIn,
  issuer,
  livesOf,
  logOut,
  screenOf,
  signIn,
  signInBoth,
} from "./openid_world.ts";

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
  const stayed = await browser.submit(page, { decision: "stay" });
  assertEquals([stayed.leftFor, stayed.status], [undefined, 200]);
  assertEquals(await livesOf(world, tokens), allAlive);
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
    assertEquals(await livesOf(world, tokens), allAlive);
  }
});

it("logout: an unregistered URI, and any URI without a client, gets no redirect (OpenID Connect RP-Initiated Logout §3)", async ({ world, browser }) => {
  const { id_token } = await signIn(world, browser, "alice");
  // Without a session there is no question, so a right URI would be followed at once.
  const leaves = async (params: Params) => (await logOut(createBrowser(world), params)).leftFor;
  assertEquals(await leaves({ post_logout_redirect_uri: bye }), undefined);
  const unregistered = [
    "https://evil.example/bye",
    "https://app.example/bye/",
    "https://app.example/cb",
    "https://shop.example/bye",
  ];
  for (const post_logout_redirect_uri of unregistered) {
    for (const named of [{ client_id: "app" }, { id_token_hint: id_token }]) {
      assertEquals(await leaves({ ...named, post_logout_redirect_uri }), undefined, post_logout_redirect_uri);
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
  assertEquals([page.status, await livesOf(world, tokens)], [400, allAlive]);
});

it("logout: HEAD does not sign out (RFC 9110 §9.2.1)", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const url = `${issuer}/connect/logout?id_token_hint=${tokens.id_token}`;
  await world.fetch(new Request(url, { method: "HEAD", headers: { cookie } }));
  assertEquals(await livesOf(world, tokens), allAlive);
});
