/** Each language has all texts, and a page in one language shows no text of another. */
import { assertEquals, assertFalse, assertMatch } from "@std/assert";
import english from "../../../src/server/pages/words/en.json" with { type: "json" };
import { languages, loadTranslation } from "../../../src/server/pages/words/languages.ts";
import { test } from "../../runner.ts";
import { everyPage, everyPageIn } from "./examples.ts";
import { attribute, findAll, readHtml } from "./read_html.ts";
import { englishWords, shownTexts, textsOf } from "./word_texts.ts";

/** Texts that are the same in German. */
const sameInGerman: ReadonlySet<string> = new Set(["Client"]);

const [, ...others] = languages;

/** Returns the names of the values in a text, sorted. */
function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort();
}

for (const language of others) {
  const translation = async () => new Map(textsOf((await loadTranslation(language))!));

  test(`languages: ${language} has exactly the texts that English has`, async () => {
    assertEquals(
      [...(await translation()).keys()].sort(),
      [...textsOf(english)].map(([place]) => place).sort(),
    );
  });

  test(`languages: each text in ${language} has the placeholders of the English one`, async () => {
    const texts = await translation();
    for (const [place, text] of textsOf(english)) {
      assertEquals(placeholders(texts.get(place)!), placeholders(text), place);
    }
  });

  test(`languages: no text in ${language} is empty or has a brace outside of a placeholder`, async () => {
    for (const [place, text] of await translation()) {
      assertMatch(text.replace(/\{\w+\}/g, "x"), /^[^{}]+$/, place);
    }
  });
}

test("languages: German repeats no English text", async () => {
  const german = new Map(textsOf((await loadTranslation("de"))!));
  const same = [...textsOf(english)].filter(([place, text]) =>
    german.get(place) === text && !sameInGerman.has(text)
  );
  assertEquals(same, []);
});

/** Texts of the examples' configuration, whose language the pages do not know. */
const configured: ReadonlySet<string> = new Set(["Look at your train tickets "]);

for (const [name, html] of await everyPageIn("de")) {
  test(`languages: ${name} in German has no English sentence`, () => {
    const document = readHtml(html);
    assertEquals(attribute(findAll(document, "html")[0]!, "lang"), "de");
    for (const text of shownTexts(document)) {
      if (!configured.has(text)) assertFalse(englishWords.test(text), text);
    }
  });
}

/** The scripts of `/authorized` fill these. */
const filledByScripts = /\{(time|left)\}/g;

for (const [name, html] of [...everyPage(), ...await everyPageIn("de")]) {
  test(`languages: each placeholder on ${name} is filled (${/lang="(\w+)"/.exec(html)?.[1]})`, () => {
    for (const text of shownTexts(readHtml(html))) {
      assertEquals(placeholders(text.replace(filledByScripts, "")), [], text);
    }
  });
}
