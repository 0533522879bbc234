/** A person examines an application in a browser, where a script keeps the page up to date. */

import { assertEquals, assertMatch } from "@std/assert";
import type { BrowserContext, Page } from "playwright-core";
import { type Application, serveApplication } from "./application.ts";
import { startServer } from "./start_server.ts";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

interface Person {
  readonly page: Page;
  /** Opens the login of the application in another tab, and returns what the application shows. */
  logIn(): Promise<string>;
}

function examineTest(name: string, work: (person: Person) => Promise<void>): void {
  browserTest(`examine page: ${name}`, async (browser) => {
    await using server = await startServer({ control: true });
    const { issuer } = server;
    await using application = serveApplication(issuer);
    await withContext(browser, { origins: [issuer, application.origin] }, async (context) => {
      const page = await context.newPage();
      await page.goto(`${issuer}/misbehaviours/examine`);
      await work({ page, logIn: () => logIn(context, application, issuer) });
    });
  });
}

async function logIn(context: BrowserContext, { origin }: Application, issuer: string): Promise<string> {
  const tab = await context.newPage();
  await tab.goto(`${origin}/login`);
  while (tab.url().startsWith(issuer)) await tab.locator("button.person, button.primary").first().click();
  const shown = await tab.locator("h1").innerText();
  await tab.close();
  return shown;
}

/** Presses a button, and waits for the next page. */
async function press(page: Page, id: string): Promise<void> {
  await page.locator(`#${id}`).click();
}

/** Skips what is offered until the misbehaviour comes. */
async function skipTo(page: Page, name: string): Promise<void> {
  while (!(await page.locator("#current").innerText()).includes(name)) await press(page, "skip");
}

examineTest("a person examines an application", async ({ page, logIn }) => {
  await press(page, "choose");
  assertEquals(await logIn(), "Signed in");
  // The script shows the requests without a reload.
  await page.locator("#requests", { hasText: "POST /oauth2/token" }).waitFor();
  assertEquals(await page.locator("#look").isVisible(), false);
  await press(page, "success");
  await skipTo(page, "iss_wrong");
  await press(page, "switch_on");
  assertEquals(await logIn(), "Signed in");
  await page.locator("#proof", { hasText: "Fooled." }).waitFor();
  await press(page, "proven");
  await page.locator("#verdicts [data-outcome=fooled]", { hasText: "iss_wrong" }).waitFor();
  assertMatch(await page.locator("#summary").innerText(), /^1 of 1 failed\./);
  await press(page, "open-card");
  assertEquals(await page.locator("h1").innerText(), "Report card");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("#downloads button", { hasText: "HTML" }).click(),
  ]);
  assertEquals(download.suggestedFilename(), "card.html");
});
