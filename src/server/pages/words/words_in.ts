/** The words of the pages in one language. What no language translates is English. */

import { english, type Words } from "./english.ts";
import { loadTranslation } from "./languages.ts";

/** Resolves to English words if the pages do not have the language. */
export async function loadWords(language: string): Promise<Words> {
  const translation = await loadTranslation(language);
  return translation === undefined ? english : { ...english, ...translation, language };
}
