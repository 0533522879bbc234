/** The inspector in a browser: live while a client runs, and its files. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { runClients } from "./run_clients.ts";
import { giveKey } from "./sign_in.ts";
import { inspectorKey, startServer } from "./start_server.ts";
import { browserTest, findAccessProblems, findFolded, overflow, startedTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

const refused = "#requests tr.refused";
/** The links of the rows, also in folded logins. */
const links = "#requests td:nth-child(5) > a:last-of-type";

async function countRequests(page: Page): Promise<number> {
  return await page.locator(links).count();
}

startedTest(
  "inspector: shows requests as they arrive, and their refusals in the title",
  async ({ page, issuer }) => {
    await page.goto(`${issuer}/inspector`);
    await page.locator("#live-state.shown").waitFor();
    assertEquals(await countRequests(page), 0);
    await page.locator("#filter").fill("client:de");
    await runClients(issuer);
    await page.locator(refused).first().waitFor();
    await page.waitForFunction(() => /^\([1-9]\d* refused\)/.test(document.title));
    // What the person types meanwhile stays.
    assertEquals(await page.locator("#filter").inputValue(), "client:de");
  },
);

startedTest(
  "inspector: a hidden page holds no connection, and catches up when it is shown",
  async ({ page, issuer }) => {
    // Chromium without a window never hides a page, so the test says that it is hidden.
    await page.addInitScript(() => {
      const state = globalThis as unknown as { isHidden: boolean; open: number };
      Object.assign(state, { isHidden: false, open: 0 });
      Object.defineProperty(document, "hidden", { get: () => state.isHidden });
      const Original = EventSource;
      globalThis.EventSource = class extends Original {
        constructor(url: string | URL) {
          super(url);
          state.open++;
        }
        override close() {
          if (this.readyState !== Original.CLOSED) state.open--;
          super.close();
        }
      };
    });
    await page.goto(`${issuer}/inspector`);
    await page.locator("#live-state.shown").waitFor();
    const show = (isHidden: boolean) =>
      page.evaluate((value) => {
        (globalThis as unknown as { isHidden: boolean }).isHidden = value;
        document.dispatchEvent(new Event("visibilitychange"));
        return (globalThis as unknown as { open: number }).open;
      }, isHidden);
    assertEquals(await show(true), 0);
    await runClients(issuer);
    assertEquals(await countRequests(page), 0);
    assertEquals(await show(false), 1);
    await page.locator(refused).first().waitFor();
  },
);

browserTest("inspector: its files are redacted, and the HTML file opens from the disk", async (browser) => {
  await using server = await startServer({ control: true });
  const { issuer } = server;
  await runClients(issuer);
  const folder = await Deno.makeTempDir();
  try {
    await withContext(browser, { origins: [issuer] }, async (context) => {
      const page = await context.newPage();
      await giveKey(page, issuer, inspectorKey);
      await page.locator("#exports > summary").click();
      const download = async (name: string) => {
        const waiting = page.waitForEvent("download");
        await page.getByRole("button", { name, exact: true }).click();
        const file = await waiting;
        await file.saveAs(`${folder}/${file.suggestedFilename()}`);
        return file.suggestedFilename();
      };
      assertEquals(await download("HAR"), "requests.redacted.har");
      const har = JSON.parse(await Deno.readTextFile(`${folder}/requests.redacted.har`));
      assert(har.log.entries.length > 5);
      assertEquals(await download("HTML file"), "requests.redacted.html");
      assertEquals(await download("Complete HTML file"), "requests.html");
    });
    const terms = { viewport: { width: 360, height: 740 }, origins: [`file://${folder}`] };
    await withContext(browser, terms, async (context) => {
      const page = await context.newPage();
      await page.goto(`file://${folder}/requests.redacted.html`);
      assert((await findFolded(page, ".exchange")).length > 5);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      assertEquals(await findFolded(page, ".exchange"), []);
      assertEquals(await overflow(page), 0);
      await page.emulateMedia({ media: "screen" });
      await page.evaluate(() => document.querySelectorAll("details").forEach((each) => each.open = true));
      assertMatch(await page.locator("#redaction").innerText(), /^Redacted/);
      assert(await page.locator(".exchange").count() > 5);
      assertEquals(await overflow(page), 0);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        assertEquals(await findAccessProblems(page), [], colorScheme);
      }
      await page.locator(".diagram .bad a").first().click();
      assertMatch(page.url(), /#exchange-[\w-]{12}$/);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
