/** An entry in Chromium: its request is copied in one press, on its own page and beside the list. */

import { assertEquals, assertMatch } from "@std/assert";
import { runClients } from "./run_clients.ts";
import { startServer } from "./start_server.ts";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

for (const [where, width] of [["on its own page", 768], ["beside the list", 1440]] as const) {
  browserTest(`entry: a refused request is copied as curl in one press, ${where}`, async (browser) => {
    await using server = await startServer({ control: true });
    await runClients(server.issuer);
    const terms = { viewport: { width, height: 900 }, origins: [server.issuer] };
    await withContext(browser, terms, async (context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const page = await context.newPage();
      await page.goto(`${server.issuer}/inspector?q=reason:code_unknown`);
      await page.locator(".requests a[href*='/inspector/']:visible").first().click();
      await page.locator(".entry").waitFor();
      assertEquals(await page.locator("#list:visible").count(), width > 1100 ? 1 : 0);
      await page.getByRole("button", { name: "Copy as curl" }).click();
      await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
      assertMatch(await page.evaluate(() => navigator.clipboard.readText()), /^curl -i '.*\/oauth2\/token'/);
      await page.getByRole("tab", { name: "Raw" }).click();
      assertEquals(await page.locator("#entry-raw").isVisible(), true);
    });
  });
}
