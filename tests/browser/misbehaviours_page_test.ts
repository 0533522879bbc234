/** A person makes the server wrong on its pages, in Chromium, and sees what a client does. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Request } from "playwright-core";
import { logIn } from "./run_clients.ts";
import { startedTest } from "./visit.ts";

startedTest("misbehaviours page: a switch of the page, and the client is fooled", async (visit) => {
  const { page, issuer } = visit;
  await page.goto(`${issuer}/misbehaviours`);
  await page.locator("#q").fill("another issuer");
  // The script shows what the search finds.
  await page.locator("#found a", { hasText: "iss_wrong" }).first().click();
  await page.waitForURL("**/misbehaviours/authorization_response.iss_wrong");
  await page.locator("#client").fill("demo");
  await page.locator("#switch_on").click();
  await page.locator("#misbehaviour-1").waitFor();
  await logIn(issuer);
  // The script shows the wrong answer and the verdict without a reload.
  await page.locator("#on", { hasText: "1 wrong answer" }).waitFor();
  await page.locator("[data-outcome=fooled]").waitFor();
  await page.locator("#evidence #requests tbody").first().waitFor();
  assert(await page.locator("#evidence #requests tbody").count() <= 3);
  // The switch comes first, and then the verdict and the question.
  assertEquals(
    await page.locator("#misbehaviour-1 button").evaluateAll((all) => all.map(({ id }) => id.split("-")[0])),
    ["switch_off", "success", "error", "unknown"],
  );
  await page.locator("[id^=switch_off-]").click();
  await page.locator("#misbehaviour-1").waitFor({ state: "detached" });
  await page.locator("#all-requests").click();
  await page.waitForURL("**/inspector?q=misbehaviour:authorization_response.iss_wrong");
});

startedTest(
  "clock page: a turn of the clock is shown in local time, and the time goes on",
  async (opened) => {
    const { page, issuer } = opened;
    await page.goto(`${issuer}/misbehaviours/clock`);
    const readTime = async () =>
      Date.parse((await page.locator("#server-time").innerText()).replace(" UTC", "Z"));
    const before = await readTime();
    await page.locator("[id='step-1h']").click();
    await page.locator("#clock-condition").waitFor();
    assertMatch(await page.locator("time.local").innerText(), /in your time zone/);
    const after = await page.locator("#server-time").innerText();
    assert(await readTime() - before >= 3_600_000);
    await page.waitForFunction(
      (shown) => document.querySelector("#server-time")?.textContent !== shown,
      after,
    );
    assertMatch(await page.locator("time.local").innerText(), /in your time zone/);
    await page.locator("#clock-condition button").click();
    assertEquals(await page.locator("#clock-condition").count(), 0);
  },
);

for (
  const [path, field, part] of [
    ["/misbehaviours", "#q", "#found"],
    ["/playground", "#field-redirect_uri", "#request"],
  ] as const
) {
  startedTest(
    `typing: a late answer to an earlier text is not shown, on ${path}`,
    async ({ page, issuer }) => {
      await page.goto(issuer + path);
      const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const isEarlier = (request: Request) => `${request.url()} ${request.postData()}`.includes("earlier");
      await page.route("**", async (route) => {
        if (isEarlier(route.request())) {
          asked.resolve();
          await held.promise;
        }
        await route.continue();
      });
      await page.locator(field).fill("earlier");
      await asked.promise;
      await page.locator(field).fill("audience");
      await page.locator(part, { hasText: "aud" }).waitFor();
      const shown = await page.locator(part).innerText();
      const answered = page.waitForResponse((response) => isEarlier(response.request()) && response.ok());
      held.resolve();
      await answered;
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
      assertEquals(await page.locator(part).innerText(), shown);
    },
  );
}

startedTest(
  "control page: a deletion asks first, and its answer stands below the form",
  async ({ page, issuer }) => {
    const address = `${issuer}/_postern?call=removePerson`;
    await page.goto(address);
    await page.locator("[name='path.username']").fill("bob");
    await page.locator("#send button").first().click();
    await page.locator("#answer", { hasText: "cannot be undone" }).waitFor();
    await page.locator("[name=confirmed]").click();
    await page.locator("#answer", { hasText: "204" }).waitFor();
    assertEquals(page.url(), address);
  },
);
