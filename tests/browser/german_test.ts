/** German pages: chosen by the browser's language or by the client's `ui_locales`, with the wire in English. */

import { assertEquals, assertMatch } from "@std/assert";
import { englishWords } from "../pages/word_texts.ts";
import { clientOrigin, everyPage, openPage } from "./every_page.ts";
import { runClients } from "./run_clients.ts";
import { sites } from "./sites.ts";
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

browserTest("German: the texts that a script of the playground writes", async (browser) => {
  await using server = await startServer({});
  const { issuer } = server;
  await withContext(browser, { origins: [issuer], locale: "de" }, async (context) => {
    const page = await context.newPage();
    await page.goto(`${issuer}/playground?kind=token.client_credentials&client_id=demo-confidential`);
    await page.click("#send-request");
    await page.locator("#sent").waitFor();
    const response = page.locator("#response");
    assertEquals(await response.locator("h2").innerText(), "Die Antwort");
    assertEquals(await response.locator("button").innerText(), "Zerlegen");
    assertEquals(await response.locator("h3").innerText(), "access_token (gelesen, nicht geprüft)");
    assertEquals(await page.locator("#sent").innerText(), "Diese Anfrage im Inspector");
  });
});

/** Texts of the tests' own configuration. */
const configured = [
  "Demo application with a secret",
  "The shop",
  "A client of these pages",
  "The Extraordinarily Comprehensive Procurement and Expenses Workspace of Northern Europe",
  "See your orders",
  "Change and cancel your orders, and place new ones in your name",
];

/** Pages in parts, so that no test takes long. */
const parts = Array.from({ length: 4 }, (_none, part) => everyPage.filter((_state, at) => at % 4 === part));

for (const [part, states] of parts.entries()) {
  browserTest(`German: every page is in German, and fits a phone (${part + 1} of 4)`, async (browser) => {
    for (const state of states) {
      await using server = await startServer(sites[state.site ?? "demo"]);
      const terms = {
        viewport: { width: 360, height: 740 },
        origins: [server.issuer, clientOrigin],
        locale: "de",
      };
      await withContext(browser, terms, async (context) => {
        const page = await context.newPage();
        await openPage(state, { page, issuer: server.issuer });
        assertEquals(await page.locator("html").getAttribute("lang"), "de", state.name);
        assertEquals(await overflow(page), 0, state.name);
        assertEquals((await page.evaluate(findTexts)).filter(isEnglish), [], state.name);
      });
    }
  });
}

/** Returns the texts of the page, without those that are marked as English, code, and names. */
function findTexts(): readonly string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent?.closest('[lang="en"], code, pre, bdi, script') === null) {
      texts.push(walker.currentNode.nodeValue ?? "");
    }
  }
  return texts;
}

function isEnglish(text: string): boolean {
  const own = configured.reduce((rest, each) => rest.replaceAll(each, ""), text.replace(/„.*?“/g, ""));
  return englishWords.test(own);
}
