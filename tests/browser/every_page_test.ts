/** Every page in every state: accessible in both colour schemes and at every width, small, still, and by itself. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { clientOrigin, everyPage, openPage } from "./every_page.ts";
import { sites } from "./sites.ts";
import { startServer } from "./start_server.ts";
import { browserTest, findAccessProblems, overflow } from "./visit.ts";
import { withContext } from "./watched_context.ts";

const widths = [320, 768, 1920];

// In bytes. A page with all its files is at most as large.
const heaviest = 60_000;

for (const state of everyPage) {
  browserTest(`every page: ${state.name}`, async (browser) => {
    await using server = await startServer(sites[state.site ?? "demo"]);
    const terms = { viewport: { width: 320, height: 740 }, origins: [server.issuer, clientOrigin] };
    await withContext(browser, terms, async (context) => {
      const page = await context.newPage();
      // Otherwise axe measures the colours of a button while they change.
      await page.emulateMedia({ reducedMotion: "reduce" });
      await openPage(state, { page, issuer: server.issuer });
      assertEquals(await measureShift(page), 0, "the layout moves after the page is shown");
      assertEquals(await page.locator("h1").count(), 1, "a page has one main heading");
      const weight = await measureWeight(page);
      assert(weight <= heaviest, `the page and its files have ${weight} bytes`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 740 });
        assertEquals(await overflow(page), 0, `it scrolls sideways at ${width} pixels`);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          assertEquals(await findAccessProblems(page), [], `${width} pixels wide, ${colorScheme}`);
        }
      }
    });
  });
}

/** How far the parts of the page have moved since it was shown (Cumulative Layout Shift). */
async function measureShift(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const shifts: number[] = [];
    const note = (list: PerformanceObserverEntryList) =>
      list.getEntries().forEach((entry) => shifts.push((entry as unknown as { value: number }).value));
    new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
    // two frames, in which the scripts of the page have run
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return shifts.reduce((sum, shift) => sum + shift, 0);
  });
}

/** The bytes of the page, its stylesheet, its scripts and its icon, without compression. */
async function measureWeight(page: Page): Promise<number> {
  const { size, icons } = await page.evaluate(() => {
    const entries = [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ] as PerformanceResourceTiming[];
    const loaded = entries.map(({ name }) => name);
    const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=icon]")].map(({ href }) => href);
    return {
      // A live page asks for news, which are not a part of it.
      size: entries.filter(({ initiatorType }) => !/^(fetch|eventsource)$/.test(initiatorType))
        .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
      icons: links.filter((href) => !loaded.includes(href)),
    };
  });
  const files = await Promise.all(
    icons.map(async (url) => (await (await page.request.get(url)).body()).length),
  );
  return files.reduce((sum, each) => sum + each, size);
}
