/** What a person does after a form that no longer works: expired, changed on its way, or answered in another tab. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { approve, choose, signIn } from "./sign_in.ts";
import { browserTest, heading, tabTo, visit, visitTest } from "./visit.ts";

browserTest("expired form: the person starts again and finishes", async (browser) => {
  let ahead = 0;
  const server = () => ({ now: () => Math.floor(Date.now() / 1000) + ahead });
  await visit(browser, { server }, async ({ page, issuer }) => {
    await page.goto(`${issuer}/start?client_id=demo`);
    ahead = 2 * 3600;
    await choose(page);
    assertMatch(await page.locator("#description").innerText(), /more than an hour old/);
    await approve(page, issuer);
    assertEquals(await heading(page), "Authorization Successful!");
  });
});

visitTest("deny: the client gets access_denied, and no person is needed", {}, async ({ page, issuer }) => {
  await page.goto(`${issuer}/start?client_id=demo`);
  await page.locator("#deny").click();
  assertEquals(new URL(page.url()).searchParams.get("error"), "access_denied");
  assertEquals(await page.locator("#error").innerText(), "access_denied");
  await page.goto(issuer);
  assertEquals(await page.locator("#signed-in").count(), 0);
});

/** Changes the sealed request in every form of the page. */
async function tamper(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const input of document.querySelectorAll<HTMLInputElement>("input[name=request]")) {
      input.value = input.value.slice(0, -4) + "AAAA";
    }
  });
}

visitTest("tampered form: sign-in and consent are refused, and nothing was approved", {}, async (visit) => {
  const { page, issuer } = visit;
  await page.goto(`${issuer}/start?client_id=demo`);
  await tamper(page);
  await choose(page);
  await page.waitForURL(/\/oauth2\/sign_in$/);
  assertEquals(await page.locator("#approve").count(), 0);
  await page.goto(issuer);
  assertEquals(await page.locator("#signed-in").count(), 0, "no person is signed in");
  await signIn(page, issuer);
  await page.locator("#approve").waitFor();
  await tamper(page);
  await page.locator("#approve").click();
  await page.waitForURL(/\/oauth2\/consent$/);
  assertEquals(new URL(page.url()).searchParams.has("code"), false);
  await page.goto(`${issuer}/start?client_id=demo`);
  assertEquals(await page.locator("#approve").count(), 1, "the same request is asked again");
});

visitTest("two tabs: each asks for its own request, and both can be approved", {}, async (visit) => {
  const { page, issuer } = visit;
  const other = await page.context().newPage();
  const tabs = [page, other];
  for (const tab of tabs) await tab.goto(`${issuer}/start?client_id=demo`);
  await choose(page);
  await page.locator("#approve").waitFor();
  // The other tab still shows the picker: it signs in another person, and the first tab is not disturbed.
  await choose(other, "bob");
  await other.locator("#approve").waitFor();
  for (const tab of tabs) {
    await tab.locator("#approve").click();
    assertEquals(await heading(tab), "Authorization Successful!");
  }
  assertMatch(await page.locator("#person").innerText(), /Alice/);
  assertMatch(await other.locator("#person").innerText(), /Bob/);
});

visitTest("two tabs: a request that was answered in one tab is explained in the other", {}, async (visit) => {
  const { page, issuer } = visit;
  await signIn(page, issuer);
  await page.locator("#approve").waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await page.locator("#approve").click();
  assertEquals(await heading(page), "Authorization Successful!");
  await other.locator("#approve").click();
  assertMatch(await other.locator("#description").innerText(), /already been approved/);
  await other.locator("#start-again").click();
  await other.locator("#approve").click();
  assertEquals(await heading(other), "Authorization Successful!");
});

visitTest(
  "keyboard: a wrong and a right password, deny and the way back need no mouse",
  { server: () => ({ people: [{ username: "carol", password: "correct horse" }] }) },
  async ({ page, issuer }) => {
    const typeIn = async (password: string) => {
      await page.locator("#username").focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.type("carol");
      await page.keyboard.press("Tab");
      await page.keyboard.type(password);
      await page.keyboard.press("Enter");
    };
    await page.goto(`${issuer}/start?client_id=demo`);
    await typeIn("wrong");
    await page.locator("#problem").waitFor();
    await typeIn("correct horse");
    await page.locator("#approve").waitFor();
    await tabTo(page, "#deny");
    await page.keyboard.press("Enter");
    await page.locator("#error").waitFor();
    await tabTo(page, "#start");
    await page.keyboard.press("Enter");
    await page.locator("#approve").waitFor();
  },
);
