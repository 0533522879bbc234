/** The language of the pages: ui_locales of the request, then Accept-Language, then the default. */
import { assertEquals } from "@std/assert";
import { chooseLanguage } from "../../../src/server/oauth/requests/choose_language.ts";
import { test } from "../../runner.ts";

const pages = { languages: ["en", "de", "zh", "pt-BR", "zh-Hant"] } as const;

function choose({ uiLocales, acceptLanguage }: { uiLocales?: string; acceptLanguage?: string }): string {
  return chooseLanguage({ request: { header: () => acceptLanguage }, uiLocales }, { pages });
}

const byUiLocales: readonly (readonly [uiLocales: string, language: string])[] = [
  ["de", "de"],
  ["DE-at", "de"],
  ["de-CH-1901", "de"],
  ["deu", "en"],
  ["pt", "en"],
  ["pt-br", "pt-BR"],
  ["zh-Hant-TW", "zh-Hant"],
  ["zh-TW", "zh"],
  ["", "en"],
];

for (const [uiLocales, language] of byUiLocales) {
  test(`language: ui_locales "${uiLocales}" chooses ${language} (OpenID Connect Core §3.1.2.1)`, () => {
    assertEquals(choose({ uiLocales }), language);
  });
}

const byHeader: readonly (readonly [acceptLanguage: string, language: string])[] = [
  ["de", "de"],
  ["en;q=0.2, de-DE;q=0.7, fr", "de"],
  ["fr, *;q=0.5, de;q=0.1", "en"],
  ["de;q=1.0, zh", "de"],
  ["de;q=0", "en"],
  ["de;q=0, zh;q=0.1", "zh"],
  ["de;xq=0, zh;q=0.1", "de"],
  ["de; Q=0.9 , en ;q=0.8", "de"],
  ["de;q=high, pt-BR;q=0.1", "pt-BR"],
  [",;,", "en"],
];

for (const [acceptLanguage, language] of byHeader) {
  test(`language: Accept-Language "${acceptLanguage}" chooses ${language} (RFC 9110 §12.5.4)`, () => {
    assertEquals(choose({ acceptLanguage }), language);
  });
}

test("language: ui_locales comes before Accept-Language, which decides if ui_locales has no known language", () => {
  assertEquals(choose({ uiLocales: "de", acceptLanguage: "en" }), "de");
  assertEquals(choose({ uiLocales: "fr", acceptLanguage: "de" }), "de");
  assertEquals(choose({}), "en");
});
