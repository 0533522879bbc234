/** Each language has all texts, and a page in one language shows no text of another. */
import { assertEquals, assertFalse } from "@std/assert";
import { englishInspector } from "../../src/pages/words/inspector_english.ts";
import { germanInspector } from "../../src/pages/words/inspector_german.ts";
import { englishControl } from "../../src/pages/words/control_english.ts";
import { germanControl } from "../../src/pages/words/control_german.ts";
import { englishMisbehaviours } from "../../src/pages/words/misbehaviours_english.ts";
import { germanMisbehaviours } from "../../src/pages/words/misbehaviours_german.ts";
import { englishPlayground } from "../../src/pages/words/playground_english.ts";
import { germanPlayground } from "../../src/pages/words/playground_german.ts";
import { wordsIn } from "../../src/pages/words/words_in.ts";
import { test } from "../runner.ts";
import { everyPageIn } from "./examples.ts";
import { attribute, findAll, readHtml } from "./read_html.ts";
import { englishWords, shownTexts, textsOf } from "./word_texts.ts";

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
  "Client (client_id)",
  "PKCE",
  "Link",
  "Browser",
  "Resource",
  "JavaScript",
  "Filter",
  "HAR",
  "Mermaid",
  "Text",
  "Body",
  "90s, 15m, 2h, 1d 3h",
  "Control Plane",
  "/_postern/tenants/NAME",
  "APIs",
  "Trace",
]);

/** Names of the protocol and of programs, such as `code_verifier` and `curl`, are the same in every language. */
const protocolName = /^[a-z_]+$/;

/** The files of words: the words of all pages, and those that only some pages load. */
const files: readonly (readonly [name: string, english: unknown, german: unknown])[] = [
  ["all pages", wordsIn("en"), wordsIn("de")],
  ["playground", englishPlayground, germanPlayground],
  ["inspector", englishInspector, germanInspector],
  ["misbehaviours", englishMisbehaviours, germanMisbehaviours],
  ["the control plane", englishControl, germanControl],
];

for (const [name, english, german] of files) {
  test(`languages: German has a text wherever English has one, in the words of ${name}`, () => {
    const texts = (words: unknown) => [...textsOf(words)].filter(([, text]) => text !== "");
    const places = (words: unknown) => new Set(texts(words).map(([place]) => place.split("[")[0]));
    assertEquals(places(german), places(english));
  });

  test(`languages: German repeats no English text, except for terms and names, in the words of ${name}`, () => {
    const repeated = new Set([...textsOf(english)].map(([, text]) => text));
    const same = [...textsOf(german)].map(([, text]) => text).filter((text) =>
      /\p{L}/u.test(text.replace(/‹\d›/g, "")) && repeated.has(text) && !sameInGerman.has(text) &&
      !protocolName.test(text)
    );
    assertEquals(same, []);
  });
}

/** Texts of the examples' configuration, whose language the pages do not know. */
const configured: ReadonlySet<string> = new Set(["Look at your train tickets "]);

for (const [name, html] of everyPageIn("de")) {
  test(`languages: ${name} in German has no English sentence`, () => {
    const document = readHtml(html);
    assertEquals(attribute(findAll(document, "html")[0]!, "lang"), "de");
    for (const text of shownTexts(document)) {
      if (!configured.has(text)) assertFalse(englishWords.test(text), text);
    }
  });
}
