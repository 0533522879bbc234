/** The walk from `/authorized` in Chromium: the time of the browser, and the tokens on each width. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { approve } from "./sign_in.ts";
import { browserTest, visit } from "./visit.ts";

/** Presses a button, and waits for the page of the step. */
async function press(page: Page, step: string, number: number): Promise<void> {
  await page.locator(`#${step}`).click();
  await page.waitForURL(`**/authorized/walk?id=*&step=${number}`);
}

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
