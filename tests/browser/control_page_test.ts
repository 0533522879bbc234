/** The page of the control plane in a browser: it leads to each call, and back. */

import { assertEquals } from "@std/assert";
import { startServer } from "./start_server.ts";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

browserTest("control page: the list of calls leads to each call", async (browser) => {
  await using server = await startServer({ control: true });
  await withContext(browser, { origins: [server.issuer] }, async (context) => {
    const page = await context.newPage();
    await page.goto(`${server.issuer}/_postern`);
    await page.locator("nav a", { hasText: "/rotate_keys" }).click();
    assertEquals(new URL(page.url()).hash, "#rotateKeys");
    assertEquals(await page.locator("#rotateKeys h2").innerText(), "POST /rotate_keys");
    await page.locator("#all-calls").click();
    assertEquals(page.url(), `${server.issuer}/_postern`);
  });
});
