/** Scopes that a person leaves out on the consent page (OAuth 2.1 §1.4.1, §3.2.3). */

import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { attribute, findAll, readHtml } from "../pages/read_html.ts";
import { memoryStore } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_openid.ts";
import type { Browser, Page, Params, World } from "../../world.ts";
import { answerOf, ask, inOpenId, screenOf, tokensOf, userinfoOf } from "./openid_world.ts";

const it = testWith();

const scope = "openid profile email";

async function openConsent(world: World, browser: Browser, changed: Params = {}): Promise<Page> {
  const page = await ask(world, browser, { scope, ...changed });
  return screenOf(page) === "sign_in" ? await browser.submit(page, { person: "alice" }) : page;
}

/** Approves the page with these of its checkboxes. */
function approve(browser: Browser, page: Page, granted: readonly string[]): Promise<Page> {
  return browser.submit(page, { scope_choice: "1", scope: granted, decision: "approve" });
}

function checkboxesOf({ html }: Page): readonly (string | undefined)[] {
  return findAll(readHtml(html), "input")
    .filter((input) => attribute(input, "type") === "checkbox")
    .map((input) => attribute(input, "value"));
}

it("consent: each scope but openid has a checkbox, and a request for one scope has none", async ({ world, browser }) => {
  const page = await openConsent(world, browser);
  assertEquals(checkboxesOf(page), ["profile", "email"]);
  assertStringIncludes(page.html, 'name="scope_choice"');
  const other = await openConsent(world, browser, { scope: "read" });
  assertEquals(checkboxesOf(other), []);
  assertFalse(other.html.includes("scope_choice"));
});

it("consent: the token response and the claims have only the granted scopes (OAuth 2.1 §3.2.3)", async ({ world, browser }) => {
  const page = await approve(browser, await openConsent(world, browser), ["email"]);
  const tokens = await tokensOf(world, page);
  assertEquals(tokens.scope, "openid email");
  const claims = await (await userinfoOf(world, tokens.access_token)).json();
  assertEquals(Object.keys(claims).toSorted(), ["email", "email_verified", "sub"]);
  assertEquals(world.journal.find(({ request }) => request.path === "/oauth2/consent")?.facts.scope, [
    "openid",
    "email",
  ]);
});

it("consent: the claims parameter does not bring back the claims of a scope that was left out", async ({ world, browser }) => {
  const both = { email: null, name: null };
  const claims = JSON.stringify({ userinfo: both, id_token: both });
  const page = await approve(browser, await openConsent(world, browser, { claims }), ["profile"]);
  const tokens = await tokensOf(world, page);
  const userinfo = await (await userinfoOf(world, tokens.access_token)).json();
  for (const { name, email } of [userinfo, decodeJwt(tokens.id_token!)]) {
    assertEquals([name, email], ["Alice Adams", undefined]);
  }
});

it("consent: only the granted scopes are remembered", async ({ world, browser }) => {
  await approve(browser, await openConsent(world, browser), ["email"]);
  assertEquals(screenOf(await ask(world, browser, { scope: "openid email" })), "client");
  assertEquals(screenOf(await ask(world, browser, { scope })), "consent");
  const silent = answerOf(await ask(world, browser, { scope, prompt: "none" }));
  assertEquals(silent.get("error"), "consent_required");
});

function checked({ html }: Page): readonly (string | undefined)[] {
  return findAll(readHtml(html), "input").filter((input) => attribute(input, "checked") !== undefined)
    .map((input) => attribute(input, "value"));
}

it("consent: a scope that was left out is not checked when the client asks for it again", async ({ world, browser }) => {
  const first = await openConsent(world, browser);
  assertEquals(checked(first), ["profile", "email"]);
  assertFalse(first.html.includes('id="left-out"'));
  await approve(browser, first, ["email"]);
  const again = await ask(world, browser, { scope });
  assertEquals(checked(again), ["email"]);
  assertStringIncludes(again.html, 'id="left-out"');
  await approve(browser, again, ["profile", "email"]);
  assertEquals(checked(await ask(world, browser, { scope, prompt: "consent" })), ["profile", "email"]);
});

it("consent: a scope that was left out is not checked after an answer to other scopes either", async ({ world, browser }) => {
  await approve(browser, await openConsent(world, browser), ["profile"]);
  const other = await ask(world, browser, { scope: "openid profile", prompt: "consent" });
  await approve(browser, other, ["profile"]);
  assertEquals(checked(await ask(world, browser, { scope })), ["profile"]);
});

it("consent: single claims of several requests are remembered together", async ({ world, browser }) => {
  const askFor = (...names: readonly string[]) => {
    const userinfo = Object.fromEntries(names.map((name) => [name, null]));
    return openConsent(world, browser, { scope: "openid", claims: JSON.stringify({ userinfo }) });
  };
  for (const name of ["email", "name"]) {
    await browser.submit(await askFor(name), { decision: "approve" });
  }
  assertEquals(screenOf(await askFor("email", "name")), "client");
  assertFalse((await ask(world, browser, { scope, prompt: "consent" })).html.includes('id="claims"'));
});

test("consent: what an earlier client with the same id got is not remembered for the new one", async () => {
  const store = memoryStore();
  await inOpenId({ store }, async (world, browser) => {
    await approve(browser, await openConsent(world, browser), ["profile", "email"]);
    for await (
      const { id, value, expiresAt } of store.list!<{ readonly clientEpoch: string }>({ name: "consent" })
    ) {
      const earlier = { ...value, clientEpoch: "earlier" };
      await store.put({ name: "consent" }, id, earlier, { expiresAt, now: world.clock.now });
    }
    assertEquals(screenOf(await ask(world, browser, { scope })), "consent");
    const page = await ask(world, browser, { scope: "openid profile" });
    await browser.submit(page, { decision: "approve" });
    assertEquals(screenOf(await ask(world, browser, { scope: "openid profile" })), "client");
    assertEquals(screenOf(await ask(world, browser, { scope: "openid email" })), "consent");
  });
});

it("consent: a scope that was granted before and is left out now is no longer remembered", async ({ world, browser }) => {
  await approve(browser, await openConsent(world, browser), ["profile", "email"]);
  assertEquals(screenOf(await ask(world, browser, { scope })), "client");
  await approve(browser, await ask(world, browser, { scope, prompt: "consent" }), ["profile"]);
  assertEquals(screenOf(await ask(world, browser, { scope: "openid email" })), "consent");
});

it("consent: a form cannot add a scope to the request", async ({ world, browser }) => {
  const page = await approve(browser, await openConsent(world, browser), ["email", "offline_access"]);
  assertEquals(world.lastRefusal()?.reason, "scope_not_requested");
  assertEquals(answerOf(page).get("error"), "invalid_request");
});

it("consent: openid stays if all other scopes are left out", async ({ world, browser }) => {
  const page = await approve(browser, await openConsent(world, browser), []);
  assertEquals((await tokensOf(world, page)).scope, "openid");
});

it("consent: an approval without any scope shows the page again, which can be answered", async ({ world, browser }) => {
  const again = await approve(browser, await openConsent(world, browser, { scope: "read write" }), []);
  assertEquals([again.status, screenOf(again)], [400, "consent"]);
  assertEquals(world.lastRefusal()?.reason, "no_scope_granted");
  const address = /data-address="([^"]+)"/.exec(again.html)![1]!.replaceAll("&amp;", "&");
  assertEquals(screenOf(await browser.open(address)), "consent");
  const page = await approve(browser, again, ["read"]);
  assertEquals((await tokensOf(world, page)).scope, "read");
});
