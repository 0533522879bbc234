/** A person uses the playground in a browser: builds a request, sees a mistake, starts it, and takes the outcome apart. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { type StartedOptions, startedTest } from "./visit.ts";

function playgroundTest(
  name: string,
  terms: StartedOptions,
  work: (page: Page, issuer: string) => Promise<void>,
): void {
  startedTest(`playground: ${name}`, { start: {}, tolerates: /status of 401/, ...terms }, async (visit) => {
    await visit.page.goto(`${visit.issuer}/playground`);
    await work(visit.page, visit.issuer);
  });
}

/** Waits until the check has this outcome. */
async function waitFor(page: Page, outcome: string): Promise<void> {
  await page.locator(`#check[data-outcome=${outcome}]`).waitFor();
}

/** Goes through the login that the playground has started, to the page `/authorized`. */
async function signIn(page: Page): Promise<void> {
  await page.locator("#start").click();
  await page.locator("button.person").first().click();
  await page.locator("#approve").click();
  await page.waitForURL(/\/authorized\?/);
}

playgroundTest("the request and its check follow what the person types", {}, async (page, issuer) => {
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
  // The address shows the same form after a reload.
  await page.reload();
  await waitFor(page, "refused");
  assertEquals(await page.locator("#field-pkce").inputValue(), "none");
});

playgroundTest(
  "a request that it started ends at /authorized, and the callback is read",
  {},
  async (page, issuer) => {
    const verifier = await page.locator("#verifier").innerText();
    await signIn(page);
    assertStringIncludes(await page.content(), verifier);
    const callback = page.url();
    await page.goto(`${issuer}/playground/read`);
    await page.locator("#pasted").fill(callback);
    await page.locator("#take-apart").click();
    await page.locator("[data-check=alive][data-result=passed]").waitFor();
    assertEquals(await page.locator("[data-result=failed]").count(), 0);
  },
);

playgroundTest(
  "a request is sent by the browser, and its response and entry are shown",
  {},
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

playgroundTest(
  "without scripts, the same needs one more click",
  { javaScript: false },
  async (page, issuer) => {
    await page.locator("#field-redirect_uri").fill(`${issuer}/authorised`);
    await page.locator("#show").click();
    await waitFor(page, "refused");
    await page.locator("#field-redirect_uri").fill(`${issuer}/authorized`);
    await page.locator("#show").click();
    await waitFor(page, "accepted");
    await signIn(page);
    const code = new URL(page.url()).searchParams.get("code")!;
    await page.goto(`${issuer}/playground/read`);
    await page.locator("#pasted").fill(code);
    await page.locator("#take-apart").click();
    await page.locator("[data-kind=code] [data-check=alive][data-result=passed]").waitFor();
  },
);
