/** The Firefox of the machine, which tests drive over WebDriver BiDi. A test fails if a page reports an error. */

import { existsSync } from "node:fs";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { test } from "../runner.ts";

/** Where Debian installs Firefox. */
const firefoxPath = "/usr/bin/firefox-esr";

/** What Firefox reports when a worker redirects a frame, although it follows the redirect. */
const redirectOfFrame = /Failed to load ‘’\. A ServiceWorker intercepted the request/;

let firefox: Browser | undefined;
Deno.test.beforeAll(async () => {
  if (!existsSync(firefoxPath)) return;
  firefox = await puppeteer.launch({ browser: "firefox", executablePath: firefoxPath });
});
Deno.test.afterAll(() => firefox?.close());

/** A test with a page of a Firefox that has nothing of earlier tests. It is skipped without Firefox. */
export function firefoxTest(name: string, work: (page: Page) => Promise<void>): void {
  if (!existsSync(firefoxPath)) return test.skip(name, `there is no ${firefoxPath}`);
  test(name, async () => {
    const context = await firefox!.createBrowserContext();
    const problems: string[] = [];
    try {
      const page = await context.newPage();
      page.on("pageerror", (error) => {
        if (!redirectOfFrame.test(`${error}`)) problems.push(`${error}`);
      });
      await work(page);
    } finally {
      await context.close();
    }
    if (problems.length > 0) throw new Error(`The pages must not do this:\n${problems.join("\n")}`);
  });
}

/** Waits for an element, and clicks it. A locator would leave timers, which fail the next test. */
export async function press(page: Pick<Page, "waitForSelector">, selector: string): Promise<void> {
  const element = await page.waitForSelector(selector);
  await element!.click();
}

/** Signs alice in at the pages of the server, and approves. */
export async function approveInFirefox(page: Pick<Page, "waitForSelector">): Promise<void> {
  await press(page, "button[name=person][value=alice]");
  await press(page, "#approve");
}

export async function waitForPath(page: Page, path: string): Promise<void> {
  await page.waitForFunction((path) => location.pathname === path, {}, path);
}
