/** Tests with Chromium and a server on a loopback socket. A test fails if a page does what no page may do. */

import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import { createServer, type Server, type ServerOptions } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { sampleKey } from "../world.ts";
import { chromiumHindrance } from "../chromium_path.ts";
import { openBrowser } from "./chromium.ts";
import { type StartedServer, type StartOptions, startServer } from "./start_server.ts";
import { type ContextOptions, withContext } from "./watched_context.ts";

// Opened before the first test, because a test fails if it leaves a program running.
let chromium: Browser | undefined;
Deno.test.beforeAll(async () => {
  if (chromiumHindrance === undefined) chromium = await openBrowser();
});
Deno.test.afterAll(() => chromium?.close());

/** A test that is skipped without Chromium. */
export function browserTest(name: string, work: (browser: Browser) => Promise<void>): void {
  if (chromiumHindrance !== undefined) return test.skip(name, chromiumHindrance);
  test(name, () => work(chromium!));
}

export interface Visit {
  readonly page: Page;
  readonly server: Server;
  readonly issuer: string;
}

export interface VisitOptions extends Partial<ContextOptions> {
  readonly server?: (at: { readonly issuer: string }) => ServerOptions;
}

/** A test with a page and a new server that an application has embedded. */
export function visitTest(
  name: string,
  work: (visit: Visit) => Promise<void>,
  options: VisitOptions = {},
): void {
  browserTest(name, (browser) => visit(browser, options, work));
}

export async function visit(
  browser: Browser,
  { server: describeServer, origins = [], ...terms }: VisitOptions,
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  const { promise: ready, resolve } = Promise.withResolvers<Server>();
  const socket = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => (await ready).fetch(request),
  );
  const issuer = `http://localhost:${socket.addr.port}`;
  const server = createServer({
    issuer,
    alg: "ES256",
    signingKeys: [sampleKey],
    ...describeServer?.({ issuer }),
  });
  resolve(server);
  try {
    await withContext(browser, { ...terms, origins: [issuer, ...origins] }, async (context) => {
      await work({ page: await context.newPage(), server, issuer });
    });
  } finally {
    await socket.shutdown();
    await server.close();
  }
}

export interface StartedVisit {
  readonly page: Page;
  readonly server: StartedServer;
  readonly issuer: string;
}

export interface StartedOptions extends Partial<ContextOptions> {
  /** Default: a server with `--control`. */
  readonly start?: StartOptions;
}

/** A test with a page and a new server as `postern start` runs it, with its dashboard. */
export function startedTest(
  name: string,
  work: (visit: StartedVisit) => Promise<void>,
  { start = { control: true }, origins = [], ...terms }: StartedOptions = {},
): void {
  browserTest(name, async (browser) => {
    await using server = await startServer(start);
    const { issuer } = server;
    await withContext(browser, { ...terms, origins: [issuer, ...origins] }, async (context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await work({ page: await context.newPage(), server, issuer });
    });
  });
}

interface Axe {
  run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** The accessibility violations that axe finds. Playwright runs it, so the page's policy does not block it. */
export async function findAccessProblems(page: Page): Promise<readonly string[]> {
  // A click ends before the style sheets of the next page are there, which decide about sizes.
  await page.waitForLoadState();
  if (await page.evaluate("typeof axe") === "undefined") await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run({
      // WCAG 2.2 §2.5.8, which axe does not check unless asked
      rules: { "target-size": { enabled: true } },
      resultTypes: ["violations"],
    })
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** In pixels. More sizes would say no more, and look restless. The largest is that of the site's first page. */
const sizesOfType = ["13px", "14px", "16px", "20px", "28px", "48px"];

/** Returns the texts and fields of the page whose size of type is none of the six, with their size. */
export async function findOtherSizes(page: Page): Promise<readonly string[]> {
  return await page.evaluate((usual) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const shown = new Set<Element>(document.querySelectorAll("input, select, textarea"));
    while (texts.nextNode()) {
      if (/\S/.test(texts.currentNode.nodeValue!)) shown.add(texts.currentNode.parentElement!);
    }
    return [...shown].filter((each) => each.checkVisibility()).flatMap((each) => {
      const { fontSize } = getComputedStyle(each);
      // An empty cell has no size.
      return usual.includes(fontSize) || fontSize === "0px"
        ? []
        : [`${fontSize}: ${each.localName}.${each.className} ${each.textContent!.slice(0, 40)}`];
    });
  }, sizesOfType);
}

/** By how many pixels the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  await page.waitForLoadState();
  return await page.evaluate("document.documentElement.scrollWidth - innerWidth");
}

interface Shift {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

/** How far the parts of the page have moved since it was shown (Cumulative Layout Shift). */
export async function findShifts(page: Page): Promise<readonly Shift[]> {
  return await page.evaluate(async () => {
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    await document.fonts.ready;
    // two frames, in which the scripts of the page have run
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    entries.push(...observer.takeRecords());
    return (entries as unknown as Shift[]).map(({ value, hadRecentInput }) => ({ value, hadRecentInput }));
  });
}

/** The sections and folded parts of an element that are not shown. On paper all are. */
export async function findFolded(page: Page, selector: string): Promise<readonly string[]> {
  return await page.locator(
    `${selector} :is(details:not(#key-details) > :not(summary, form), .tabs > section)`,
  )
    .evaluateAll((parts) =>
      parts.filter((each) => !each.checkVisibility()).map((each) => each.outerHTML.slice(0, 80))
    );
}

export async function heading(page: Page): Promise<string> {
  return (await page.locator("h1").innerText()).trim();
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`30 tabs do not reach ${selector}`);
}

/** Presses a button that closes its window, which may happen before a click of Playwright has ended. */
export async function pressAndLeave(button: Locator): Promise<void> {
  await button.evaluate((each: HTMLElement) => void setTimeout(() => each.click()));
}
