/** The walk from `/authorized` in Chromium: Back and reload, the time of the browser, and the tokens on each width. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { approve } from "./sign_in.ts";
import { browserTest, heading, visit } from "./visit.ts";

/** Presses a button, and waits for the page of the step. */
async function press(page: Page, step: string, number: number): Promise<void> {
  await page.locator(`#${step}`).click();
  await page.waitForURL(`**/authorized/walk?id=*&step=${number}`);
}

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
