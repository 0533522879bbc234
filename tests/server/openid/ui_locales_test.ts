/** The language of the pages: the client's ui_locales, then the browser's Accept-Language (OpenID Connect Core §3.1.2.1). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { testWith } from "./test_in_openid.ts";
import { navigationHeaders, type Page } from "../../world.ts";
import { ask, logOut, requestUrl, signIn } from "./openid_world.ts";

const it = testWith();

function languageOf({ html }: { readonly html: string }): string | undefined {
  return /<html lang="([^"]*)">/.exec(html)?.[1];
}

/** Opens a page with an Accept-Language header. */
async function openWith(
  world: { readonly get: (path: string, headers: HeadersInit) => Promise<Response> },
  path: string,
  acceptLanguage: string,
): Promise<Response> {
  return await world.get(path, { ...navigationHeaders, "accept-language": acceptLanguage });
}

it("ui_locales: every page of a request is in the client's language, also after a form", async ({ world, browser }) => {
  const uiLocales = { ui_locales: "de-AT en" };
  const signInPage = await ask(world, browser, uiLocales);
  const wrong = await browser.submit(signInPage, { username: "carol", password: "wrong" });
  const consent = await browser.submit(signInPage, { person: "alice" });
  const pages: readonly Page[] = [signInPage, wrong, consent];
  assertEquals(pages.map(languageOf), ["de", "de", "de"]);
  assertStringIncludes(wrong.html, "Bitte versuchen Sie es noch einmal");
  assertEquals(languageOf(await ask(world, browser, { ui_locales: "en", prompt: "login" })), "en");
});

it("ui_locales: a refusal that stays here is in the client's language, and its description is English", async ({ world, browser }) => {
  const page = await ask(world, browser, { ui_locales: "de", redirect_uri: "https://other.example/cb" });
  assertEquals([page.status, languageOf(page)], [400, "de"]);
  assertStringIncludes(
    page.html,
    `<h1><span id="description" lang="en">${world.lastRefusal()!.description}</span></h1>`,
  );
});

it("ui_locales: what the client receives is English", async ({ world, browser }) => {
  const page = await ask(world, browser, { ui_locales: "de", prompt: "none" });
  assertEquals(new URL(page.leftFor!).searchParams.get("error"), "login_required");
  assertEquals(
    new URL(page.leftFor!).searchParams.get("error_description"),
    world.lastRefusal()!.description,
  );
});

it("ui_locales: the pages of a sign-out are in the client's language (RP-Initiated Logout §2)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  const question = await logOut(browser, { ui_locales: "de" });
  const stayed = await browser.submit(question, { decision: "stay" });
  const out = await browser.submit(question, { decision: "sign_out" });
  assertEquals([question, stayed, out].map(languageOf), ["de", "de", "de"]);
});

it("ui_locales: without it the browser's Accept-Language decides, and pages for developers are English", async ({ world }) => {
  const pages = { "/": "en", "/authorized?error=x": "en", "/nothing": "de", [requestUrl(world)]: "de" };
  // ISO 639-2: the tag of a text that is in no language.
  const unknown = "zxx";
  for (const [path, language] of Object.entries(pages)) {
    const response = await openWith(world, path, `${unknown}, de;q=0.7, en;q=0.3`);
    assertEquals(response.headers.get("vary"), "accept-language", path);
    assertEquals(languageOf({ html: await response.text() }), language, path);
    assertEquals(languageOf({ html: await (await openWith(world, path, unknown)).text() }), "en", path);
  }
  const asked = await openWith(world, requestUrl(world, { ui_locales: "en" }), "de");
  assertEquals(languageOf({ html: await asked.text() }), "en");
});
