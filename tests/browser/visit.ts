/** A visit: Chromium with a server on a loopback socket; it records foreign requests and console errors. */

import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import axe from "axe-core";
import { createServer, type Server, type ServerOptions } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { sampleKey } from "../world.ts";

const chromiumPath = "/usr/bin/chromium";

export interface Visit {
  readonly page: Page;
  readonly server: Server;
  /** Requests to origins other than the server's and the test's own. */
  readonly foreignRequests: readonly string[];
  /** Errors on the browser's console, among them violations of the page's policy. */
  readonly consoleErrors: readonly string[];
}

export interface VisitOptions {
  readonly server?: (at: { readonly issuer: string }) => ServerOptions;
  readonly javaScript?: boolean;
  readonly colorScheme?: "light" | "dark";
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The test's own origins, such as a client's. */
  readonly origins?: readonly string[];
}

async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

export async function visit(
  browser: Browser,
  options: VisitOptions,
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
    ...options.server?.({ issuer }),
  });
  resolve(server);
  const { javaScript = true, colorScheme = "light", viewport = { width: 1280, height: 900 } } = options;
  const context = await browser.newContext({ javaScriptEnabled: javaScript, colorScheme, viewport });
  try {
    const page = await context.newPage();
    const own = [issuer, ...options.origins ?? []];
    const foreignRequests: string[] = [];
    const consoleErrors: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!own.some((origin) => url.startsWith(`${origin}/`))) foreignRequests.push(url);
    });
    page.on("console", (message) => {
      if (message.type() === "error") consoleErrors.push(message.text());
    });
    page.on("pageerror", (error) => consoleErrors.push(String(error)));
    await work({ page, server, foreignRequests, consoleErrors });
  } finally {
    await context.close();
    await socket.shutdown();
    await server.close();
  }
}

/** The accessibility violations that axe finds. Playwright runs it, so the page's policy does not block it. */
export async function findAccessProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    })
      .axe.run()
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** By how many pixels the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return await page.evaluate("document.documentElement.scrollWidth - innerWidth");
}

/** A test that is skipped without Chromium. */
export function browserTest(name: string, work: (browser: Browser) => Promise<void>): void {
  if (!existsSync(chromiumPath)) return test.skip(name, "this machine has no Chromium");
  test(name, async () => {
    const browser = await launchBrowser();
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
