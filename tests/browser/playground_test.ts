/** A person uses the playground in a browser: builds a request, sees a mistake, and sends it. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { startedTest } from "./visit.ts";

function playgroundTest(name: string, work: (page: Page, issuer: string) => Promise<void>): void {
  startedTest(`playground: ${name}`, async (visit) => {
    await visit.page.goto(`${visit.issuer}/playground`);
    await work(visit.page, visit.issuer);
  }, { start: {}, tolerates: /status of 401/ });
}

/** Waits until the check has this outcome. */
async function waitFor(page: Page, outcome: string): Promise<void> {
  await page.locator(`#check[data-outcome=${outcome}]`).waitFor();
}

playgroundTest("the request and its check follow what the person types", async (page, issuer) => {
  await waitFor(page, "accepted");
  await page.locator("#field-redirect_uri").fill(`${issuer}/authorised`);
  await waitFor(page, "refused");
  assertMatch(await page.locator("#check").innerText(), /not registered/);
  assertStringIncludes(await page.locator("#request").innerText(), "authorised");
  assertStringIncludes(page.url(), "authorised");
  await page.locator("#field-redirect_uri").fill(`${issuer}/authorized`);
  await waitFor(page, "accepted");
  await page.locator("#field-pkce").selectOption("none");
  await waitFor(page, "refused");
  assertMatch(await page.locator("#check").innerText(), /PKCE is required/);
  // Keys of the page do not act in a list, which has keys of its own.
  await page.locator("#field-pkce").press("/");
  assertEquals(await page.evaluate(() => document.activeElement?.id), "field-pkce");
  // The address shows the same form after a reload.
  await page.reload();
  await waitFor(page, "refused");
  assertEquals(await page.locator("#field-pkce").inputValue(), "none");
});

playgroundTest(
  "a telephone shows the first field, the verdict and its button at once",
  async (page, issuer) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${issuer}/playground`);
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
    const isShown = async (selector: string) => {
      const { y, height } = await boxOf(selector);
      return y >= 0 && y + height <= 844;
    };
    for (const selector of ["#field-client_id", "#check", "#start"]) {
      assert(
        await isShown(selector),
        selector,
      );
    }
    await page.locator("#field-redirect_uri").fill("http://localhost:3000/callbakc");
    await page.locator("#check[data-outcome=refused]").waitFor();
    await page.locator("#field-nonce").focus();
    // The browser scrolls when it draws, so that the verdict does not cover the field.
    await page.waitForFunction(() => {
      const [field, verdict] = ["field-nonce", "verdict"].map((id) =>
        document.getElementById(id)!.getBoundingClientRect()
      );
      return field!.top >= 0 && field!.bottom <= verdict!.top;
    });
  },
);

playgroundTest(
  "a request is sent by the browser, and its response and entry are shown",
  async (page, issuer) => {
    await page.goto(`${issuer}/playground?kind=token.client_credentials&client_id=demo-confidential`);
    await waitFor(page, "accepted");
    await page.locator("#send-request").click();
    await page.locator("#sent").waitFor();
    assertStringIncludes(await page.locator("#response").innerText(), "200");
    assertStringIncludes(await page.locator("#response").innerText(), '"typ": "at+jwt"');
    await page.locator("#field-client_secret").fill("wrong");
    await waitFor(page, "refused");
    // A window of the browser that asks for a password would stop the test here.
    await page.locator("#send-request").click();
    await page.locator("#response strong", { hasText: "401" }).waitFor();
    await page.locator("#field-client_secret").fill("demo-secret");
    await waitFor(page, "accepted");
    await page.locator("#send-request").click();
    await page.locator("#response strong", { hasText: "200" }).waitFor();
    await page.locator("#response .button", { hasText: "Take it apart" }).click();
    await page.locator("[data-kind=access_token] [data-check=signature][data-result=passed]").waitFor();
    await page.goBack();
    await page.locator("#send-request").click();
    await page.locator("#sent").click();
    await page.waitForURL(/\/inspector\/[\w-]+$/);
    assertStringIncludes(await page.locator("main").innerText(), "/oauth2/token");
  },
);
