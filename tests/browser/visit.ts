/** A visit: Chromium, a server on a loopback socket, and a watch on what the pages load and complain about. */

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
  /** Requests to any other origin than the server's and those the test named. */
  readonly foreignRequests: readonly string[];
  /** What the browser wrote to its console: policy violations end up here. */
  readonly complaints: readonly string[];
}

export interface VisitOptions {
  readonly server?: (at: { readonly issuer: string }) => ServerOptions;
  readonly javaScript?: boolean;
  readonly colorScheme?: "light" | "dark";
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Origins that belong to the test: a client's. */
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
    const complaints: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!own.some((origin) => url.startsWith(`${origin}/`))) foreignRequests.push(url);
    });
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await work({ page, server, foreignRequests, complaints });
  } finally {
    await context.close();
    await socket.shutdown();
    await server.close();
  }
}

/** What axe finds wrong, in short. It is run from outside, past the page's own policy. */
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

/** How far the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return await page.evaluate("document.documentElement.scrollWidth - innerWidth");
}

/** Skipped where no Chromium is. */
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

/** As somebody without a mouse gets there. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`no number of tabs reaches ${selector}`);
}
