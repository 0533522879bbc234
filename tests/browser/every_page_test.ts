/** Every page in every state: accessible in both colour schemes, fitting at every width, small, still, and by itself. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { englishWords } from "../server/pages/word_texts.ts";
import { findKeyboardProblems } from "./keyboard.ts";
import { clientOrigin, listTours, openNext, type PageState } from "./every_page.ts";
import { sites } from "./sites.ts";
import { findAccessProblems, findOtherSizes, findShifts, overflow, startedTest } from "./visit.ts";

/** In bytes. A page with all its files is at most as large. Three tokens and what came of each need more. */
const heaviestOf = (state: string): number => /^(exchanged|walk-.*)$/.test(state) ? 60_000 : 45_000;

/** The pages of a sign-in, and of refusals, that a reload shows again. All other pages are English. */
const translated = /^(accounts|answered|consent|not-found|refused|second|sign|wrong-method)/;

/** The pages that persons meet, refusals, and pages beside the links of the frame. */
const withoutKeys =
  /^(accounts|answered|authorized|consent|control-locked|device|exchanged|failed|form|inspector-from|not-found|refused|second|session|sign|walk|web|wrong)/;

for (const tour of listTours()) {
  const terms = {
    start: sites[tour[0]!.site ?? "demo"],
    viewport: { width: 320, height: 740 },
    origins: [clientOrigin],
  };
  startedTest(`every page: ${tour.map(({ name }) => name).join(", ")}`, async ({ page, issuer }) => {
    // Otherwise axe measures the colours of a button while they change.
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const state of tour) {
      await openNext(state, { page, issuer });
      await checkPage(page, state).catch((error) => {
        throw new Error(`The page ${state.name}: ${error.message}`, { cause: error });
      });
    }
  }, terms);
}

async function checkPage(page: Page, state: PageState): Promise<void> {
  const shifts = await findShifts(page);
  assertEquals(shifts, [], "the layout moves after the page is shown");
  assertEquals(await page.locator("h1").count(), 1, "a page has one main heading");
  assertEquals(await bandAbove(page), "0px", "an empty band stands above the page's first part");
  const weight = await measureWeight(page);
  assert(weight <= heaviestOf(state.name), `the page and its files have ${weight} bytes`);
  assertEquals(await findKeyboardProblems(page), []);
  assertEquals(
    await tryKeys(page),
    withoutKeys.test(state.name) ? "" : "lists, closes, searches",
  );
  for (const width of [1920, 768, 320]) {
    await page.setViewportSize({ width, height: 740 });
    assertEquals(await overflow(page), 0, `it scrolls sideways at ${width} pixels`);
    assertEquals(await emptyBelow(page), 0, `it scrolls into emptiness at ${width} pixels`);
    assertEquals(await findOtherSizes(page), [], `sizes of type at ${width} pixels`);
    if (width === 320) assert(await heightOfHeader(page) <= 64, "the header takes the screen of a telephone");
    if (width === 768) continue;
    await page.emulateMedia({ colorScheme: width === 320 ? "light" : "dark" });
    assertEquals(await findAccessProblems(page), [], `at ${width} pixels`);
  }
  if (translated.test(state.name)) await requireGerman(page, state);
}

/** Shows the page to a browser that prefers German: it has no English text, and fits a phone. */
async function requireGerman(page: Page, { has }: PageState): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  const session = await page.context().newCDPSession(page);
  const userAgent = await page.evaluate(() => navigator.userAgent);
  await session.send("Emulation.setUserAgentOverride", { userAgent, acceptLanguage: "de" });
  await page.reload();
  await page.locator(has).first().waitFor({ state: "attached" });
  assertEquals(await page.locator("html").getAttribute("lang"), "de");
  assertEquals(await overflow(page), 0, "it scrolls sideways in German");
  assertEquals((await page.evaluate(findTexts)).filter(isEnglish), []);
  // The next page is English again.
  await session.send("Emulation.setUserAgentOverride", { userAgent, acceptLanguage: "en-GB" });
  await session.detach();
  await page.setViewportSize({ width: 320, height: 740 });
}

/** Texts of the tests' own configuration. */
const configured = [
  "Demo application with a secret",
  "The shop",
  "A client of these pages",
  "The Extraordinarily Comprehensive Procurement and Expenses Workspace of Northern Europe",
  "See your orders",
  "Change and cancel your orders, and place new ones in your name",
  "The extraordinarily long name of a company in northern Europe",
  // as the page shortens it
  "The extraordinarily long name of a com…",
];

/** Returns the texts of the page, without those that are marked as English, code, and names. */
function findTexts(): readonly string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent?.closest('[lang="en"], code, pre, bdi, script') === null) {
      texts.push(walker.currentNode.nodeValue ?? "");
    }
  }
  return texts;
}

function isEnglish(text: string): boolean {
  const own = configured.reduce((rest, each) => rest.replaceAll(each, ""), text.replace(/„.*?“/g, ""));
  return englishWords.test(own);
}

async function heightOfHeader(page: Page): Promise<number> {
  return (await page.locator("body > header").boundingBox())?.height ?? 0;
}

/** By how many pixels the page can be scrolled below its end. */
async function emptyBelow(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const end = Math.max(innerHeight, document.body.getBoundingClientRect().bottom + scrollY);
    return Math.max(0, Math.floor(document.documentElement.scrollHeight - end));
  });
}

/** Says what the keys do that every page of the dashboard has: `?`, Escape and `/`. */
async function tryKeys(page: Page): Promise<string> {
  if (await page.locator("#show-keys").count() === 0) return "";
  const list = page.locator("#keys-list");
  await page.keyboard.press("?");
  await list.waitFor();
  await page.keyboard.press("Escape");
  const closes = await list.isVisible() ? "" : "closes";
  await page.keyboard.press("/");
  const searches = await page.evaluate(() =>
    document.activeElement?.closest("[role=search]") ? "searches" : ""
  );
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  return ["lists", closes, searches].join(", ");
}

/** The margin above what `main` begins with. */
function bandAbove(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.querySelector("main > *")!).marginBlockStart);
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
