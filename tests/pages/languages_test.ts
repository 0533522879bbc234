/** Each language has all texts, and a page in one language shows no text of another. */
import { assert, assertEquals, assertFalse } from "@std/assert";
import { languages } from "../../src/pages/words/languages.ts";
import { wordsIn } from "../../src/pages/words/words_in.ts";
import { test } from "../runner.ts";
import { everyPageIn } from "./examples.ts";
import { attribute, type Element, findAll, readHtml } from "./read_html.ts";

const others = languages.filter((language) => language !== "en");

/** Texts of the English file that are the same in another language: names, terms of OAuth, and parts of sentences. */
const sameInGerman: ReadonlySet<string> = new Set([
  "Postern",
  "‹1› · Postern",
  "Issuer",
  "Inspector",
  "Playground",
  "API",
  "Secret",
  "Client",
  "Person",
  "Scope",
  "Clients",
  "State",
  "Status ‹1›",
  "in {left}.",
  "Authorization: Basic <base64(client_id:client_secret)>",
  ".",
  ", ",
]);

/** Yields each text with its place, for example `signIn.problems.busy`. Functions are called with marks. */
function* textsOf(words: unknown, place: string): Generator<readonly [place: string, text: string]> {
  if (typeof words === "string") yield [place, words];
  else if (typeof words === "function") yield* textsOf(callWithMarks(words as SomeWords), place);
  else if (Array.isArray(words)) {
    for (const [at, piece] of words.entries()) yield* textsOf(piece, `${place}[${at}]`);
  } else if (typeof words === "object" && words !== null) {
    for (const [name, value] of Object.entries(words)) yield* textsOf(value, `${place}.${name}`);
  }
}

type SomeWords = (...values: readonly unknown[]) => unknown;

/** Calls a function of the words. A parameter is a text, a piece of a sentence, a number or a list of texts. */
function callWithMarks(words: SomeWords): unknown {
  const marks = ["‹1›", "‹2›", "‹3›"].slice(0, words.length);
  try {
    return words(...marks);
  } catch {
    return words(...marks.map((mark) => [mark]));
  }
}

for (const language of others) {
  test(`languages: ${language} has a text wherever English has one`, () => {
    const places = (words: unknown) => new Set([...textsOf(words, "")].map(([place]) => place.split("[")[0]));
    assertEquals(places(wordsIn(language)), places(wordsIn("en")));
    for (const [place, text] of textsOf(wordsIn(language), "")) assert(text !== "", place);
  });

  test(`languages: ${language} repeats no English text, except for terms and names`, () => {
    const english = new Set([...textsOf(wordsIn("en"), "")].map(([, text]) => text));
    const same = [...textsOf(wordsIn(language), "")]
      .filter(([, text]) =>
        /\p{L}/u.test(text.replace(/‹\d›/g, "")) && english.has(text) && !sameInGerman.has(text)
      );
    assertEquals(same, []);
  });
}

const englishWords = /\b(the|this|that|is|are|and|with|you|your|its|from|not|of|to|it)\b/i;

/** Texts of the examples' configuration, whose language the pages do not know. */
const configured: ReadonlySet<string> = new Set(["Look at your train tickets "]);

/** Yields the texts that people see or hear, without those that are marked as English and without code. */
function* shownTexts(element: Element): Generator<string> {
  if (attribute(element, "lang") === "en" || /^(code|pre|bdi|script)$/.test(element.name)) return;
  for (
    const name of [
      "aria-label",
      "alt",
      "title",
      "placeholder",
      "data-done",
      "data-failed",
      "data-left",
      "data-over",
    ]
  ) {
    const text = attribute(element, name);
    if (text !== undefined) yield text;
  }
  for (const child of element.children) {
    if (typeof child === "string") yield child;
    else yield* shownTexts(child);
  }
}

for (const [name, html] of everyPageIn("de")) {
  test(`languages: ${name} in German has no English sentence`, () => {
    const document = readHtml(html);
    assertEquals(attribute(findAll(document, "html")[0]!, "lang"), "de");
    for (const text of shownTexts(document)) {
      if (!configured.has(text)) assertFalse(englishWords.test(text), text);
    }
  });
}
