/** Reads the texts of word files and of pages, to compare the languages. */

import { attribute, type Element } from "./read_html.ts";

/** Yields each text of a file of words with its place, for example `signIn.problems.busy`. */
export function* textsOf(words: object, place = ""): Generator<readonly [place: string, text: string]> {
  for (const [name, value] of Object.entries(words)) {
    const at = place === "" ? name : `${place}.${name}`;
    if (typeof value === "string") yield [at, value];
    else yield* textsOf(value, at);
  }
}

/** Words that an English sentence has, and no German one. */
export const englishWords: RegExp = /\b(the|this|that|is|are|and|with|you|your|its|from|not|of|to|it)\b/i;

const spokenAttributes = [
  ...["aria-label", "alt", "title", "placeholder"],
  ...["data-done", "data-failed", "data-left", "data-over", "data-words"],
  ...["data-live", "data-away", "data-refusals"],
];

/** Yields the texts that people see or hear, without those that are marked as English and without code. */
export function* shownTexts(element: Element): Generator<string> {
  if (attribute(element, "lang") === "en" || /^(code|pre|bdi|script)$/.test(element.name)) return;
  for (const name of spokenAttributes) {
    const text = attribute(element, name);
    if (text !== undefined) yield text;
  }
  for (const child of element.children) {
    if (typeof child === "string") yield child;
    else yield* shownTexts(child);
  }
}
