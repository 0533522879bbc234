/** Reads the texts of word files and of pages, to compare the languages. */

import { attribute, type Element } from "./read_html.ts";

/** Yields each text with its place, for example `signIn.problems.busy`. Functions are called with marks. */
export function* textsOf(
  words: unknown,
  place = "",
): Generator<readonly [place: string, text: string]> {
  if (typeof words === "string") yield [place, words];
  else if (typeof words === "function") yield* textsOf(callWithMarks(words as SomeWords), place);
  else if (Array.isArray(words)) {
    for (const [at, piece] of words.entries()) yield* textsOf(piece, `${place}[${at}]`);
  } else if (typeof words === "object" && words !== null) {
    const members = words instanceof Map ? words : Object.entries(words);
    for (const [name, value] of members) yield* textsOf(value, `${place}.${name}`);
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

/** Words that an English sentence has, and no German one. */
export const englishWords: RegExp = /\b(the|this|that|is|are|and|with|you|your|its|from|not|of|to|it)\b/i;

const spokenAttributes = [
  ...["aria-label", "alt", "title", "placeholder"],
  ...["data-done", "data-failed", "data-left", "data-over", "data-local", "data-words"],
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
