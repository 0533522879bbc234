/** The HTML file of a card in a browser: readable with assistive technology, in both colour schemes and on a phone. */

import { assertEquals } from "@std/assert";
import { type Card, examine, formatCard } from "../../src/kit/mod.ts";
import { createClient } from "../kit/faults/clients/client.ts";
import { naive, strict } from "../kit/faults/clients/habits.ts";
import { browserTest, findAccessProblems, heading, overflow } from "./visit.ts";
import { withContext } from "./watched_context.ts";

/** A card with every grade, and with text that a client could have written. */
async function createCard(): Promise<Card> {
  const only = ["authorization_response", "id_token"] as const;
  const wrong = await examine({ client: createClient(naive), only });
  const right = await examine({ client: createClient(strict), only });
  const rows = [...wrong.rows.slice(0, 12), ...right.rows.slice(12)];
  const markup = "Error: <img src=x onerror=alert(1)> " + "long".repeat(80);
  return {
    ...wrong,
    rows: rows.map((row, index) => index === 0 ? { ...row, outcome: "fooled", because: markup } : row),
  };
}

browserTest(
  "card: the HTML file has no accessibility problem, in light and dark, wide and narrow",
  async (browser) => {
    const html = await formatCard(await createCard(), "html");
    await withContext(browser, { viewport: { width: 1280, height: 800 }, origins: [] }, async (context) => {
      const page = await context.newPage();
      await page.setContent(html);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assertEquals(height <= 2 * 800, true, `the groups fit on two screens, not ${height}`);
      await page.evaluate(() => document.querySelectorAll("details").forEach((each) => each.open = true));
      assertEquals(await heading(page), "Report card");
      assertEquals(await page.locator("img, script").count(), 0);
      // A wide table scrolls inside of itself.
      assertEquals(await overflow(page) <= 0, true, "wide");
      assertEquals(await findAccessProblems(page), [], "wide and light");
      await page.setViewportSize({ width: 360, height: 800 });
      await page.emulateMedia({ colorScheme: "dark" });
      assertEquals(await overflow(page) <= 0, true, "narrow");
      assertEquals(await findAccessProblems(page), [], "narrow and dark");
    });
  },
);
