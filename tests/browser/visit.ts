/** A visit: Chromium with a server on a loopback socket. The test fails if a page does what no page may do. */

import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { createServer, type Server, type ServerOptions } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { sampleKey } from "../world.ts";
import { chromiumPath, hasChromium, openBrowser } from "./chromium.ts";
import { type ContextTerms, withContext } from "./watched_context.ts";

export interface Visit {
  readonly page: Page;
  readonly server: Server;
}

export interface VisitOptions extends Partial<ContextTerms> {
  readonly server?: (at: { readonly issuer: string }) => ServerOptions;
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
      await work({ page: await context.newPage(), server });
    });
  } finally {
    await socket.shutdown();
    await server.close();
  }
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
    // WCAG 2.2 §2.5.8, which axe does not check unless asked
    (globalThis as unknown as { axe: Axe }).axe.run({ rules: { "target-size": { enabled: true } } })
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** By how many pixels the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return await page.evaluate("document.documentElement.scrollWidth - innerWidth");
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

/** A test that is skipped without Chromium. */
export function browserTest(name: string, work: (browser: Browser) => Promise<void>): void {
  if (!hasChromium()) return test.skip(name, `there is no ${chromiumPath}`);
  test(name, async () => {
    const browser = await openBrowser();
    try {
      await work(browser);
    } finally {
      await browser.close();
    }
  });
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
