/** The buttons of `/authorized` in Chromium: each step, the rule that it shows, Back and reload, with and without scripts. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { challenge, verifier } from "../world.ts";
import { approve, choose, requestOf } from "./sign_in.ts";
import { browserTest, heading, tabTo, visit, visitTest } from "./visit.ts";

/** Presses a button, and waits for the page of the step. */
async function press(page: Page, step: string, number: number): Promise<void> {
  await page.locator(`#${step}`).click();
  await page.waitForURL(`**/authorized/walk?id=*&step=${number}`);
}

const ended = (page: Page) => page.locator("#ended-tokens li").allInnerTexts();

visitTest(
  "walk: every button of a confidential client, without scripts",
  { javaScript: false },
  async (visit) => {
    const { page, issuer } = visit;
    await approve(page, issuer, "demo-confidential");
    await press(page, "exchange", 1);
    assertEquals(await heading(page), "The code was exchanged");
    assertEquals(await page.locator(".failed").count(), 0);
    const idToken = page.locator("#decoded-id_token");
    assertEquals(await idToken.locator("[data-check=at_hash]").isVisible(), true);
    assertStringIncludes(await idToken.innerText(), '"sub": "alice"');
    await press(page, "userinfo", 2);
    assertStringIncludes(await page.locator("#act-response").innerText(), '"name": "Alice Adams"');
    await press(page, "refresh", 3);
    assertEquals(await ended(page), ["Refresh token of step 1"]);
    await press(page, "introspect", 4);
    assertStringIncludes(await page.locator("#act-response").innerText(), '"active": true');
    await press(page, "tamper_verifier", 5);
    assertEquals([await heading(page), await ended(page)], ["The wrong verifier was refused", []]);
    assertMatch(await page.locator("#rule").innerText(), /RFC 7636 §4\.6/);
    await press(page, "reuse_refresh_token", 6);
    assertEquals(await heading(page), "The old refresh token was refused");
    assertMatch(await page.locator("#rule").innerText(), /OAuth 2\.1 §4\.3\.1/);
    assertEquals(await ended(page), [
      "Access token of step 1",
      "Access token of step 3",
      "Refresh token of step 3",
    ]);
    assertEquals(await page.locator("button#userinfo").count(), 0);
    assertStringIncludes(await page.locator("#userinfo-about").innerText(), "ended with its flow");
    assertEquals(await page.locator("#so-far > li").count(), 6);
    await page.locator("#step-4 > details > summary").click();
    assertStringIncludes(await page.locator("#step-4-response").innerText(), '"active": true');
  },
);

visitTest("walk: a replayed code ends the tokens, and a revocation too", {}, async ({ page, issuer }) => {
  await approve(page, issuer);
  await press(page, "exchange", 1);
  await press(page, "replay_code", 2);
  assertEquals(await heading(page), "The code did not work twice");
  assertMatch(await page.locator("#rule").innerText(), /OAuth 2\.1 §4\.1\.3/);
  assertEquals(await ended(page), ["Access token of step 1", "Refresh token of step 1"]);
  await page.locator("#proofs > summary").click();
  assertStringIncludes(await page.locator("#proofs").innerText(), "HTTP 401");

  await page.locator("#start").click();
  await page.locator("#approve").click();
  await press(page, "exchange", 1);
  await press(page, "revoke", 2);
  assertEquals(await ended(page), ["Access token of step 1", "Refresh token of step 1"]);
});

const shop = { client_id: "shop", client_secret: "shop-secret-of-32-characters-long" };

visitTest(
  "walk: a code of another application, and its verifier in the form",
  { server: ({ issuer }) => ({ clients: [{ ...shop, redirect_uris: [`${issuer}/authorized`] }] }) },
  async ({ page, issuer }) => {
    const params = { client_id: "shop", redirect_uri: `${issuer}/authorized`, scope: "openid" };
    await page.goto(requestOf(issuer, { ...params, code_challenge: challenge }));
    await choose(page);
    await page.locator("#approve").click();
    await page.getByLabel("PKCE code verifier").fill(verifier);
    await page.getByLabel("Client secret").fill(shop.client_secret);
    await press(page, "exchange", 1);
    assertEquals(await heading(page), "The code was exchanged");
    assertStringIncludes(await page.locator("#act-request").innerText(), "authorization: Basic ••••••••");
    assertEquals(await page.getByLabel("Client secret").inputValue(), "");
  },
);

browserTest("walk: Back and reload do not act again", async (browser) => {
  const seen: string[] = [];
  const journal = (entry: { readonly request: { readonly path: string } }) =>
    void seen.push(entry.request.path);
  await visit(browser, { server: () => ({ journal }) }, async ({ page, issuer }) => {
    await approve(page, issuer);
    await press(page, "exchange", 1);
    await press(page, "refresh", 2);
    const requests = () => seen.filter((path) => path === "/oauth2/token").length;
    assertEquals(requests(), 2);
    await page.reload();
    assertEquals(await heading(page), "The tokens were refreshed");
    await page.goBack();
    assertEquals(await heading(page), "The code was exchanged");
    await page.goBack();
    assertEquals(await heading(page), "Authorization Successful!");
    // Chromium shows the page as it was, or the page that says that the code has been used.
    await page.reload();
    await page.locator("#see-steps").click();
    assertEquals(await heading(page), "The tokens were refreshed");
    assertEquals(requests(), 2);
  });
});

browserTest("walk: the page says when the code expires in the time of the browser, too", async (browser) => {
  await visit(browser, {}, async ({ page, issuer }) => {
    await approve(page, issuer);
    assertMatch(
      await page.locator("#code-life").innerText(),
      /^The code expires at [\d:]+ UTC, in \d:\d\d\.\n.+ on this device\.$/,
    );
  });
});

browserTest("walk: a keyboard is enough, and the API takes a token that is for it", async (browser) => {
  await visit(
    browser,
    { server: () => ({ demoResource: "/resource" }) },
    async ({ page, issuer }) => {
      await page.goto(`${issuer}/start?client_id=demo&resource=${encodeURIComponent(`${issuer}/resource`)}`);
      await choose(page);
      await page.locator("#approve").click();
      await tabTo(page, "#exchange");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/authorized/walk**");
      await tabTo(page, "#call_api");
      await page.keyboard.press("Enter");
      await page.waitForURL("**&step=2");
      assertEquals(await heading(page), "The API answered");
    },
  );
});

for (const [width, isFolded] of [[390, true], [1440, false]] as const) {
  const how = isFolded ? "folds its tokens" : "shows the claims of its tokens at once";
  browserTest(`walk: a page of ${width} px ${how}, without scripts`, async (browser) => {
    const terms = { viewport: { width, height: 900 }, javaScript: false };
    await visit(browser, terms, async ({ page, issuer }) => {
      await approve(page, issuer);
      await press(page, "exchange", 1);
      const [fold, claim] = [".fold > summary", "[data-check=at_hash]"]
        .map((part) => page.locator(`#decoded-id_token ${part}`));
      assertEquals([await fold!.isVisible(), await claim!.isVisible()], [isFolded, !isFolded]);
      if (isFolded) {
        assertEquals(await fold!.innerText(), "Claims: 8 checks passed");
        await fold!.press("Enter");
        assertEquals(await claim!.isVisible(), true);
      }
      await page.emulateMedia({ media: "print" });
      assertEquals([await fold!.isVisible(), await claim!.isVisible()], [false, true]);
    });
  });
}
