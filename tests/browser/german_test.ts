/** German pages of a sign-in: chosen by the browser's language or by the client's `ui_locales`, with the wire in English. */

import { assertEquals, assertMatch } from "@std/assert";
import { requestOf } from "./sign_in.ts";
import { heading, visitTest } from "./visit.ts";

const terms = { locale: "de-AT" };
visitTest("German: a browser that prefers German signs in and approves in German", terms, async (visit) => {
  const { page, issuer } = visit;
  await page.goto(issuer);
  await page.click("#start");
  assertEquals(await page.locator("html").getAttribute("lang"), "de");
  assertEquals(await heading(page), "Anmelden");
  await page.click("button.person >> nth=0");
  assertEquals(await page.locator("#approve").innerText(), "Zustimmen");
  await page.click("#approve");
  assertEquals(await heading(page), "Authorization Successful!");
  assertEquals(await page.locator("html").getAttribute("lang"), "en");
});

visitTest(
  "German: ui_locales comes before the browser's language, and errors stay in English",
  {},
  async ({ page, issuer }) => {
    await page.goto(`${issuer}/start?client_id=demo`);
    assertEquals(await heading(page), "Sign in");
    const params = { client_id: "demo", redirect_uri: `${issuer}/authorized`, ui_locales: "fr de" };
    await page.goto(requestOf(issuer, params));
    assertEquals(await heading(page), "Anmelden");
    await page.click("#deny");
    assertMatch(page.url(), /error=access_denied/);
    assertMatch(new URL(page.url()).searchParams.get("error_description") ?? "", /^[ -~]+$/);
  },
);
