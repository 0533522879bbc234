/** The HTML file of a card in a browser: readable with assistive technology, in both colour schemes and on a phone. */

import { assert, assertEquals } from "@std/assert";
import { describeMisbehaviour } from "../../src/kit/faults/choose.ts";
import { isTolerance } from "../../src/kit/faults/misbehaviour.ts";
import { type Card, examine, formatCard, misbehaviourNames } from "../../src/kit/mod.ts";
import { createClient } from "../kit/faults/clients/client.ts";
import { naive, strict } from "../kit/faults/clients/habits.ts";
import { browserTest as it, findAccessProblems, heading, overflow } from "./visit.ts";
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

/** The card of a client that lacks each check that a rule demands. */
function createCarelessCard(): Card {
  const rows = misbehaviourNames.map(describeMisbehaviour).map((row) => {
    const outcome = isTolerance(row.level) ? "tolerated" as const : "fooled" as const;
    return { ...row, outcome, because: "The client succeeded with the wrong answer.", requests: [] };
  });
  return { phases: ["login"], rows };
}

it("card: what a careless client lacks fits on two screens, also those of a phone", async (browser) => {
  const html = await formatCard(createCarelessCard(), "html");
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    await withContext(browser, { viewport, origins: [] }, async (context) => {
      const page = await context.newPage();
      await page.setContent(html);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert(height <= 2 * viewport.height, `${height} pixels at ${viewport.width}`);
    });
  }
});

it("card: the HTML file has no accessibility problem, in light and dark, wide and narrow", async (browser) => {
  const html = await formatCard(await createCard(), "html");
  await withContext(browser, { viewport: { width: 1280, height: 800 }, origins: [] }, async (context) => {
    const page = await context.newPage();
    await page.setContent(html);
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
});
