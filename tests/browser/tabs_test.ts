/** Tabs in Chromium: by keyboard, without scripts, on paper, and in a part of the page that a script inserts. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { runClients } from "./run_clients.ts";
import { type StartedOptions, startedTest, tabTo } from "./visit.ts";

/** A test with the page of a refused request, which has tabs. */
function tabsTest(name: string, work: (page: Page) => Promise<void>, terms: StartedOptions = {}): void {
  startedTest(name, async ({ page, issuer }) => {
    await runClients(issuer);
    await page.goto(`${issuer}/inspector?q=outcome:refused`);
    await page.locator("main a[href*='/inspector/']").first().click();
    await page.locator(".tabs").waitFor();
    await work(page);
  }, terms);
}

const sections = ".tabs > section";

/** The ids of the sections that are shown. */
function listShown(page: Page): Promise<readonly (string | undefined)[]> {
  return page.locator(sections).evaluateAll((all) =>
    all.filter((each) => each.checkVisibility()).map(({ id }) => id)
  );
}

async function listAll(page: Page): Promise<readonly string[]> {
  return await page.locator(sections).evaluateAll((all) => all.map(({ id }) => id));
}

tabsTest(
  "tabs: arrow keys, Home and End choose a section, and Tab leads into it (WAI-ARIA)",
  async (page) => {
    const all = await listAll(page);
    const chosen = page.locator("[role=tab][aria-selected=true]");
    await tabTo(page, "[role=tab]");
    const moves = [
      { key: "ArrowRight", at: 1 },
      { key: "End", at: -1 },
      { key: "ArrowRight", at: 0 },
      { key: "ArrowLeft", at: -1 },
      { key: "Home", at: 0 },
    ];
    for (const { key, at } of moves) {
      await page.keyboard.press(key);
      assertEquals(await listShown(page), [all.at(at)], key);
      assertEquals(await chosen.count(), 1, key);
      assertEquals(await chosen.getAttribute("aria-controls"), all.at(at), key);
      assertEquals(await chosen.evaluate((tab) => tab === document.activeElement), true, key);
    }
    await page.keyboard.press("Control+ArrowRight");
    assertEquals(await listShown(page), [all[0]], "keys with Ctrl belong to the browser");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Tab");
    assertEquals(await page.evaluate(() => document.activeElement?.id), all[1]);
    assertEquals(await page.getByRole("tabpanel").getAttribute("id"), all[1]);
  },
);

tabsTest(
  "tabs: without scripts the sections stand one below the other, under their headings",
  async (page) => {
    assertEquals(await listShown(page), await listAll(page));
    assertEquals(await page.locator("[role=tab]").filter({ visible: true }).count(), 0);
    const headings = page.locator(`${sections} > :first-child`);
    assertEquals(await headings.filter({ visible: true }).count(), await page.locator(sections).count());
  },
  { javaScript: false },
);

tabsTest(
  "tabs: what a script inserts shows the section chosen before, and paper has all",
  async (page) => {
    const all = await listAll(page);
    await page.locator("[role=tab]").last().click();
    await page.evaluate(async () => {
      const html = await (await fetch(location.href)).text();
      const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".tabs")!;
      document.querySelector(".tabs")!.replaceWith(fresh);
      fresh.dispatchEvent(new Event("postern:changed", { bubbles: true }));
    });
    assertEquals(await listShown(page), [all.at(-1)]);
    await page.locator("[role=tab]").first().click();
    assertEquals(await listShown(page), [all[0]]);
    await page.emulateMedia({ media: "print" });
    assertEquals(await listShown(page), all);
    assertEquals(await page.locator("[role=tablist]").isVisible(), false);
  },
);
