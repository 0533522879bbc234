/** German pages of a sign-in: chosen by the browser's language or by the client's `ui_locales`, with the wire in English. */

import { assertEquals, assertMatch } from "@std/assert";
import { englishWords } from "../pages/word_texts.ts";
import { clientOrigin, everyPage, openPage } from "./every_page.ts";
import { sites } from "./sites.ts";
import { startServer } from "./start_server.ts";
import { browserTest, findAccessProblems, heading, overflow, visit } from "./visit.ts";
import { withContext } from "./watched_context.ts";

browserTest("German: a browser that prefers German signs in and approves in German", async (browser) => {
  await visit(browser, { locale: "de-AT" }, async ({ page, server }) => {
    await page.goto(server.issuer);
    await page.click("#start");
    assertEquals(await page.locator("html").getAttribute("lang"), "de");
    assertEquals(await heading(page), "Anmelden");
    assertEquals(await findAccessProblems(page), []);
    await page.click("button.person >> nth=0");
    assertEquals(await page.locator("#approve").innerText(), "Zustimmen");
    assertEquals(await findAccessProblems(page), []);
    await page.click("#approve");
    assertEquals(await heading(page), "Authorization Successful!");
    assertEquals(await page.locator("html").getAttribute("lang"), "en");
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

/** Texts of the tests' own configuration. */
const configured = [
  "Demo application with a secret",
  "The shop",
  "A client of these pages",
  "The Extraordinarily Comprehensive Procurement and Expenses Workspace of Northern Europe",
  "See your orders",
  "Change and cancel your orders, and place new ones in your name",
  "The extraordinarily long name of a company in northern Europe",
  // as the page shortens it
  "The extraordinarily long name of a com…",
];

/** The states of the pages of a sign-in, and of refusals. All other pages are English. */
const translated =
  /^(accounts|answered|consent|expired-form|form-post|not-found|refused|sign|still|tampered|wrong-[mp])/;

/** Pages in parts, so that no test takes long. */
const states = everyPage.filter(({ name }) => translated.test(name));
const parts = [0, 1].map((part) => states.filter((_state, at) => at % 2 === part));

for (const [part, states] of parts.entries()) {
  browserTest(
    `German: every page of a sign-in or a refusal is in German, and fits a phone (${part + 1} of 2)`,
    async (browser) => {
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
    },
  );
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
