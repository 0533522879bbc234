/** The languages of the pages. A new language needs a file of words and a line here. */

import { english, type Words } from "./english.ts";
import { german } from "./german.ts";
import type { Language } from "./languages.ts";

const words: Readonly<Record<Language, Words>> = { en: english, de: german };

/** Returns the words of a language, or the English words if the pages do not have the language. */
export function wordsIn(language: string): Words {
  return Object.hasOwn(words, language) ? words[language as Language] : english;
}
