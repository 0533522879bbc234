/** A person examines an application in a browser: live with scripts, and also without them. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Application, serveApplication } from "./application.ts";
import { startServer } from "./start_server.ts";
import { browserTest, findAccessProblems, overflow } from "./visit.ts";
import { withContext } from "./watched_context.ts";

interface Person {
  readonly page: Page;
  /** Opens the login of the application in another tab, and returns what the application shows. */
  logIn(): Promise<string>;
  /** Checks the page at this moment. */
  check(): Promise<void>;
}

interface Look {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  readonly javaScript?: boolean;
  readonly checksIssuer?: boolean;
  /** The token of the control plane. */
  readonly token?: string;
}

async function withPerson(
  browser: Browser,
  look: Look,
  work: (person: Person) => Promise<void>,
): Promise<void> {
  const { colorScheme, width, javaScript = true, checksIssuer = false, token } = look;
  await using server = await startServer({ control: token ?? true });
  const { issuer } = server;
  await using application = serveApplication({ issuer, checksIssuer });
  const { origin } = application;
  const viewport = { width, height: 800 };
  const terms = { colorScheme, viewport, javaScript, origins: [issuer, origin] };
  await withContext(browser, terms, async (context) => {
    const page = await context.newPage();
    await page.goto(`${issuer}/misbehaviours/examine`);
    await work({
      page,
      logIn: () => logIn(context, application, issuer),
      async check() {
        assertEquals(await overflow(page), 0);
        assertEquals(await findAccessProblems(page), []);
      },
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

for (const [colorScheme, width] of [["light", 1280], ["dark", 320]] as const) {
  browserTest(
    `examine page: a person examines an application, ${width} pixels wide and ${colorScheme}`,
    async (browser) => {
      await withPerson(browser, { colorScheme, width }, async ({ page, logIn, check }) => {
        await check();
        await press(page, "choose");
        assertEquals(await logIn(), "Signed in");
        // The script shows the requests without a reload.
        await page.locator("#requests", { hasText: "POST /oauth2/token" }).waitFor();
        assertEquals(await page.locator("#look").isVisible(), false);
        await press(page, "success");
        await skipTo(page, "iss_wrong");
        await check();
        await press(page, "switch_on");
        assertEquals(await logIn(), "Signed in");
        await page.locator("#proof", { hasText: "Fooled." }).waitFor();
        await check();
        await press(page, "proven");
        await page.locator("#verdicts [data-outcome=fooled]", { hasText: "iss_wrong" }).waitFor();
        assertMatch(await page.locator("#summary").innerText(), /^1 of 1 failed\./);
        await check();
        await press(page, "open-card");
        assertEquals(await page.locator("h1").innerText(), "Report card");
        await check();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.locator("#downloads button", { hasText: "HTML" }).click(),
        ]);
        assertEquals(download.suggestedFilename(), "card.html");
      });
    },
  );
}

browserTest("examine page: it works without scripts, and asks where no request decides", async (browser) => {
  const look = { colorScheme: "light", width: 800, javaScript: false, checksIssuer: true } as const;
  await withPerson(browser, look, async ({ page, logIn }) => {
    await press(page, "choose");
    assertEquals(await logIn(), "Signed in");
    await press(page, "look");
    assertMatch(await page.locator("#requests").innerText(), /POST \/oauth2\/token/);
    await press(page, "success");
    await skipTo(page, "iss_wrong");
    await press(page, "switch_on");
    assertEquals(await logIn(), "The login is not valid");
    await press(page, "look");
    assertMatch(await page.locator("#wrong-answers").innerText(), /1 wrong answer/);
    await press(page, "error");
    assertMatch(await page.locator("#verdicts").innerText(), /Noticed\./);
    assertMatch(await page.locator("#progress").innerText(), /^\d+ of \d+$/);
  });
});

browserTest("examine page: another tab that goes on makes the page follow", async (browser) => {
  await withPerson(browser, { colorScheme: "light", width: 800 }, async ({ page, logIn }) => {
    await press(page, "choose");
    await logIn();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await press(other, "success");
    await page.locator("#switch_on").waitFor();
  });
});

for (const javaScript of [true, false]) {
  browserTest(
    `examine page: stop, go on, and a reset that ends it, scripts ${javaScript ? "on" : "off"}`,
    async (browser) => {
      const look = { colorScheme: "light", width: 390, javaScript } as const;
      await withPerson(browser, look, async ({ page, logIn, check }) => {
        await press(page, "choose");
        await logIn();
        await press(page, "success");
        await press(page, "skip");
        await press(page, "switch_on");
        await press(page, "stop");
        assertMatch(await page.locator("#stage").innerText(), /^Stopped after 1 of \d+$/);
        if (javaScript) await check();
        await press(page, "go_on");
        await press(page, "switch_on");
        const { origin } = new URL(page.url());
        const reset = await fetch(`${origin}/_postern/reset`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        });
        assertEquals(reset.status, 204);
        // With scripts, the page says so by itself. Without them, it does after the next button.
        if (!javaScript) await press(page, "success");
        const stage = page.locator("#stage", { hasText: "The server was reset at" });
        await stage.waitFor();
        assertMatch(await stage.innerText(), /\. The examination ended after 1 of \d+\.$/);
        if (javaScript) await check();
        await press(page, "restart");
        await page.locator("#choose").waitFor();
      });
    },
  );
}

browserTest("examine page: a person types the token once", async (browser) => {
  const look = { colorScheme: "light", width: 320, token: "correct-horse-battery" } as const;
  await withPerson(browser, look, async ({ page, check }) => {
    await check();
    await press(page, "give-token");
    await page.locator("#key").fill("wrong");
    await press(page, "send-key");
    assertEquals(await page.locator("#key-problem").isVisible(), true);
    await check();
    await page.locator("#key").fill("correct-horse-battery");
    await press(page, "send-key");
    await press(page, "choose");
    await page.locator("#question").waitFor();
  });
});
