/** Every page in every state: accessible in both colour schemes and at every width, small, still, and by itself. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { clientOrigin, everyPage, openPage } from "./every_page.ts";
import { sites } from "./sites.ts";
import { startServer } from "./start_server.ts";
import { browserTest, findAccessProblems, overflow } from "./visit.ts";
import { withContext } from "./watched_context.ts";

const widths = [320, 768, 1920];

/** In bytes. A page with all its files is at most as large. Fifty rows, or three tokens and what came of each, need more. */
const heaviestOf = (state: string): number =>
  /^(inspector-full|exchanged|walk-.*)$/.test(state) ? 60_000 : 45_000;

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
      assert(weight <= heaviestOf(state.name), `the page and its files have ${weight} bytes`);
      assertEquals(await findKeyboardProblems(page), []);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 740 });
        assertEquals(await overflow(page), 0, `it scrolls sideways at ${width} pixels`);
        assertEquals(await emptyBelow(page), 0, `it scrolls into emptiness at ${width} pixels`);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          assertEquals(await findAccessProblems(page), [], `${width} pixels wide, ${colorScheme}`);
        }
      }
    });
  });
}

/** By how many pixels the page can be scrolled below its end. */
async function emptyBelow(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const end = Math.max(innerHeight, document.body.getBoundingClientRect().bottom + scrollY);
    return Math.max(0, Math.floor(document.documentElement.scrollHeight - end));
  });
}

// A person who presses Tab so often has seen enough of the page.
const mostTabs = 12;

/** Presses Tab from the top: each stop comes later in the document than the one before, and is seen. */
async function findKeyboardProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    // the next Tab goes to the first stop of the document
    getSelection()?.collapse(document.body, 0);
  });
  const problems: string[] = [];
  for (let tabs = 0; tabs < mostTabs; tabs++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const before = document.querySelector("[data-was-focused]");
      before?.removeAttribute("data-was-focused");
      const now = document.activeElement;
      if (now === null || now === document.body) return { isLast: true, problem: undefined };
      now.setAttribute("data-was-focused", "");
      const { outlineStyle, outlineWidth } = getComputedStyle(now);
      const { width, height } = now.getBoundingClientRect();
      const isSeen = outlineStyle !== "none" && outlineWidth !== "0px" && width > 1 && height > 1;
      const isLater = before === null ||
        (before.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      const problem = !isSeen ? "the focus is not seen" : isLater ? undefined : "the focus goes back";
      return { isLast: false, problem: problem && `${problem}: ${now.outerHTML.slice(0, 200)}` };
    });
    if (found.problem !== undefined) problems.push(found.problem);
    if (found.isLast) break;
  }
  await page.evaluate(() => {
    document.querySelector("[data-was-focused]")?.removeAttribute("data-was-focused");
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
  });
  return problems;
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
