/** Tabs in Chromium: by keyboard, without scripts, on paper, and in a part of the page that a script inserts. */

import { assertEquals } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { runClients } from "./run_clients.ts";
import { startServer } from "./start_server.ts";
import { browserTest, tabTo } from "./visit.ts";
import { withContext } from "./watched_context.ts";

/** Opens the page of a refused request, which has tabs. */
async function openTabs(
  browser: Browser,
  javaScript: boolean,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await using server = await startServer({ control: true });
  await runClients(server.issuer);
  await withContext(browser, { javaScript, origins: [server.issuer] }, async (context) => {
    const page = await context.newPage();
    await page.goto(`${server.issuer}/inspector?q=outcome:refused`);
    await page.locator("main a[href*='/inspector/']").first().click();
    await page.locator(".tabs").waitFor();
    await work(page);
  });
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

browserTest(
  "tabs: arrow keys, Home and End choose a section, and Tab leads into it (WAI-ARIA)",
  async (browser) => {
    await openTabs(browser, true, async (page) => {
      const all = await listAll(page);
      const chosen = page.locator("[role=tab][aria-selected=true]");
      await tabTo(page, "[role=tab]");
      for (
        const [key, at] of [["ArrowRight", 1], ["End", -1], ["ArrowRight", 0], ["ArrowLeft", -1], [
          "Home",
          0,
        ]] as const
      ) {
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
    });
  },
);

browserTest(
  "tabs: without scripts the sections stand one below the other, under their headings",
  async (browser) => {
    await openTabs(browser, false, async (page) => {
      assertEquals(await listShown(page), await listAll(page));
      assertEquals(await page.locator("[role=tab]").filter({ visible: true }).count(), 0);
      const headings = page.locator(`${sections} > :first-child`);
      assertEquals(await headings.filter({ visible: true }).count(), await page.locator(sections).count());
    });
  },
);

browserTest("tabs: paper has all sections under their headings", async (browser) => {
  await openTabs(browser, true, async (page) => {
    await page.locator("[role=tab]").last().click();
    await page.emulateMedia({ media: "print" });
    assertEquals(await listShown(page), await listAll(page));
    assertEquals(await page.locator("[role=tablist]").isVisible(), false);
  });
});

browserTest("tabs: what a script inserts shows the section that was chosen before", async (browser) => {
  await openTabs(browser, true, async (page) => {
    const all = await listAll(page);
    await page.locator("[role=tab]").last().click();
    await page.evaluate(async () => {
      const html = await (await fetch(location.href)).text();
      const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".tabs")!;
      document.querySelector(".tabs")!.replaceWith(fresh);
      fresh.dispatchEvent(new Event("postern:inserted", { bubbles: true }));
    });
    assertEquals(await listShown(page), [all.at(-1)]);
    await page.locator("[role=tab]").first().click();
    assertEquals(await listShown(page), [all[0]]);
  });
});
