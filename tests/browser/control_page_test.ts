/** The page of the control plane in a browser: it leads to each call, and back. */

import { assertEquals } from "@std/assert";
import { startedTest } from "./visit.ts";

startedTest("control page: the list of calls leads to each call", {}, async ({ page, issuer }) => {
  await page.goto(`${issuer}/_postern`);
  await page.locator("nav a", { hasText: "/rotate_keys" }).click();
  assertEquals(new URL(page.url()).hash, "#rotateKeys");
  assertEquals(await page.locator("#rotateKeys h2").innerText(), "POST /rotate_keys");
  await page.locator("#all-calls").click();
  assertEquals(page.url(), `${issuer}/_postern`);
});
