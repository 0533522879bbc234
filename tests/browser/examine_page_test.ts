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

examineTest("another tab, and a reset that ends it, make the page follow", async ({ page, logIn }) => {
  await press(page, "choose");
  await logIn();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await press(other, "success");
  await page.locator("#switch_on").waitFor();
  await press(page, "skip");
  await press(page, "switch_on");
  await press(page, "stop");
  assertMatch(await page.locator("#stage").innerText(), /^Stopped after 1 of \d+$/);
  await press(page, "go_on");
  await press(page, "switch_on");
  const reset = await fetch(new URL("/_postern/reset", page.url()), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  assertEquals(reset.status, 204);
  // The page says so by itself.
  const stage = page.locator("#stage", { hasText: "The server was reset at" });
  await stage.waitFor();
  assertMatch(await stage.innerText(), /\. The examination ended after 1 of \d+\.$/);
  await press(page, "restart");
  await page.locator("#choose").waitFor();
});
