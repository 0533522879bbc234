/** German pages: chosen by the browser's language or by the client's `ui_locales`, with the wire in English. */

import { assertEquals, assertMatch } from "@std/assert";
import { runClients } from "./run_clients.ts";
import { startServer } from "./start_server.ts";
import { browserTest, findAccessProblems, heading, overflow, visit } from "./visit.ts";
import { withContext } from "./watched_context.ts";

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

browserTest(
  "German: the inspector is German when it opens, and stays so while requests arrive",
  async (browser) => {
    await using server = await startServer({ control: true });
    await withContext(browser, { origins: [server.issuer], locale: "de-DE" }, async (context) => {
      const page = await context.newPage();
      const requireFit = async () => {
        for (const width of [320, 360, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          assertEquals(await overflow(page), 0, `${page.url()} at ${width} px`);
        }
        assertEquals(await findAccessProblems(page), []);
      };
      await page.goto(`${server.issuer}/inspector`);
      await page.locator("#live-state.shown").waitFor();
      assertEquals(
        await page.locator("#live-state").innerText(),
        "Live: Neue Anfragen erscheinen hier.",
      );
      await runClients(server.issuer);
      await page.waitForFunction(() => /^\([1-9]\d* abgelehnt\)/.test(document.title));
      await requireFit();
      await page.locator(".exchange.refused a").first().click();
      assertMatch(await heading(page), /: abgelehnt$/);
      await requireFit();
      await page.goto(`${server.issuer}/inspector/diagram`);
      assertEquals(await heading(page), "Sequenzdiagramm");
      await requireFit();
    });
  },
);
