/** The dashboard of the mock of a test in a browser. */

import { assert, assertEquals } from "@std/assert";
import { openDashboard } from "../../src/dashboard/mod.ts";
import { createMock } from "../../src/mock/mod.ts";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

browserTest(
  "embedded dashboard: its address opens the pages of a mock, live, with the key",
  async (browser) => {
    await using as = await createMock();
    await as.login("bob");
    const { url } = await openDashboard(as, { change: true });
    const { origin } = new URL(url);
    // The page that reads the key from the address has the status 401.
    await withContext(browser, { origins: [origin], tolerates: /401/ }, async (context) => {
      const page = await context.newPage();
      await page.goto(url);
      await page.locator("#live-state.shown").waitFor();
      // The address that stays in the history has no key.
      assertEquals(page.url(), `${origin}/inspector`);
      const count = await page.locator("#requests .band").count();
      await as.login("alice");
      await page.waitForFunction(
        (count) => document.querySelectorAll("#requests .band").length > count,
        count,
      );
      await page.getByRole("link", { name: "Misbehaviours" }).click();
      await page.getByRole("link", { name: "Clock" }).click();
      const before = as.clock.now;
      await page.getByRole("button", { name: "+ 1 hour" }).click();
      await page.getByText("The clock is 1 h ahead.").waitFor();
      assert(as.clock.now >= before + 3600);
    });
  },
);
