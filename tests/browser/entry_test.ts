/** An entry in Chromium: its request and its tokens are copied and compared. */

import { assertEquals, assertMatch } from "@std/assert";
import { runClients } from "./run_clients.ts";
import { giveKey } from "./sign_in.ts";
import { inspectorKey } from "./start_server.ts";
import { startedTest } from "./visit.ts";

const terms = { viewport: { width: 768, height: 900 } };

const name = "entry: three clicks from home show what a refresh changed";
startedTest(name, async ({ page, issuer }) => {
  await runClients(issuer);
  await giveKey(page, issuer, inspectorKey);
  await page.goto(issuer);
  await page.locator("a[href*='/inspector/']", { hasText: "Refresh" }).last().click();
  await page.getByRole("tab", { name: "Tokens" }).click();
  await page.waitForLoadState();
  const compare = page.getByRole("link", { name: "Compare with the one before" }).first();
  assertEquals((await compare.boundingBox())!.y < 900, true);
  await page.getByRole("button", { name: "Copy the payload of the access_token" }).click();
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
  assertEquals(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).sub, "alice");
  await compare.click();
  await page.locator("#differences").waitFor();
  assertMatch(await page.locator("tr[data-difference=changed]").last().innerText(), /"jti"/);
}, terms);
