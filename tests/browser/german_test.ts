/** German pages: chosen by the browser's language or by the client's `ui_locales`, with the wire in English. */

import { assertEquals, assertMatch } from "@std/assert";
import { browserTest, findAccessProblems, heading, visit } from "./visit.ts";

browserTest("German: a browser that prefers German gets the whole flow in German", async (browser) => {
  await visit(browser, { locale: "de-AT" }, async ({ page, server }) => {
    await page.goto(server.issuer);
    assertEquals(await page.locator("html").getAttribute("lang"), "de");
    assertEquals(await heading(page), "Die kleine Pforte neben dem großen Tor");
    await page.click("#start");
    assertEquals(await heading(page), "Anmelden");
    assertEquals(await findAccessProblems(page), []);
    await page.click("button.person >> nth=0");
    assertEquals(await page.locator("#approve").innerText(), "Zustimmen");
    assertEquals(await findAccessProblems(page), []);
    await page.click("#approve");
    assertEquals(await heading(page), "Autorisierung erfolgreich!");
    await page.click("#exchange");
    assertEquals(await heading(page), "Der Code wurde eingetauscht");
    assertEquals(await findAccessProblems(page), []);
  });
});

browserTest(
  "German: ui_locales comes before the browser's language, and errors stay in English",
  async (browser) => {
    await visit(browser, {}, async ({ page, server }) => {
      await page.goto(`${server.issuer}/start?client_id=demo`);
      assertEquals(await heading(page), "Sign in");
      const metadata = await (await fetch(`${server.issuer}/.well-known/openid-configuration`)).json();
      assertEquals(metadata.ui_locales_supported, ["en", "de"]);
      const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
      const params = new URLSearchParams({
        ...{ response_type: "code", client_id: "demo", redirect_uri: `${server.issuer}/authorized` },
        ...{ code_challenge: challenge, code_challenge_method: "S256", ui_locales: "fr de" },
      });
      await page.goto(`${metadata.authorization_endpoint}?${params}`);
      assertEquals(await heading(page), "Anmelden");
      await page.click("#deny");
      assertMatch(page.url(), /error=access_denied/);
      assertMatch(new URL(page.url()).searchParams.get("error_description") ?? "", /^[ -~]+$/);
    });
  },
);
