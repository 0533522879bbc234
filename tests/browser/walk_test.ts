/** The walk from `/authorized` in Chromium: the time of the browser, and the tokens on each width. */

import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { approve } from "./sign_in.ts";
import { browserTest as it, visit } from "./visit.ts";

/** Presses a button, and waits for the page of the step. */
async function press(page: Page, step: string, number: number): Promise<void> {
  await page.locator(`#${step}`).click();
  await page.waitForURL(`**/authorized/walk?id=*&step=${number}`);
}

it("authorized: it says once when the code expires, and the steps by hand are beside it from 1100 pixels on", async (browser) => {
  await visit(browser, { viewport: { width: 1100, height: 900 } }, async ({ page, issuer }) => {
    await approve(page, issuer);
    assertMatch(
      await page.locator("#code-life").innerText(),
      /^The code expires at [\d:]+ UTC, in \d:\d\d\.$/,
    );
    const isBeside = async () => {
      const [code, byHand] = [
        await page.locator("#code").boundingBox(),
        await page.locator("#by-hand").boundingBox(),
      ];
      return code!.x + code!.width <= byHand!.x && byHand!.y < code!.y;
    };
    assert(await isBeside());
    await page.setViewportSize({ width: 1099, height: 900 });
    assertFalse(await isBeside());
  });
});

it("walk: a narrow page folds its tokens, a wide one and paper do not, without scripts", async (browser) => {
  const terms = { viewport: { width: 390, height: 900 }, javaScript: false };
  await visit(browser, terms, async ({ page, issuer }) => {
    await approve(page, issuer);
    await press(page, "exchange", 1);
    const [fold, claim] = [".fold > summary", "[data-check=at_hash]"]
      .map((part) => page.locator(`#decoded-id_token ${part}`));
    const shown = async () => [await fold!.isVisible(), await claim!.isVisible()];
    assertEquals(await shown(), [true, false]);
    await page.emulateMedia({ media: "print" });
    assertEquals(await shown(), [false, true]);
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 1440, height: 900 });
    assertEquals(await shown(), [false, true]);
    await page.setViewportSize({ width: 390, height: 900 });
    assertEquals(await fold!.innerText(), "Claims: 8 checks passed");
    await fold!.press("Enter");
    assertEquals(await shown(), [true, true]);
  });
});

it("walk: a token that alone has claims has the whole width, and two share it", async (browser) => {
  await visit(browser, { viewport: { width: 1440, height: 900 } }, async ({ page, issuer }) => {
    const widthsOf = async (scope: string) => {
      await page.goto(`${issuer}/start?client_id=demo&scope=${scope}`);
      const person = page.locator("button[name=person][value=alice]");
      await person.or(page.locator("#approve")).first().waitFor();
      if (await person.count() > 0) await person.click();
      await page.locator("#approve").click();
      await press(page, "exchange", 1);
      const { width } = (await page.locator(".decoded").boundingBox())!;
      const boxes = await page.locator(".decoded > section:has(.token)").evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect().width)
      );
      return boxes.map((each) => Math.round(each / width * 10) / 10);
    };
    assertEquals(await widthsOf("profile"), [1]);
    assertEquals(await widthsOf("openid"), [0.5, 0.5]);
  });
});
