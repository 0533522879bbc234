/** Gives components the words of the page's language. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { english, type Words } from "./english.ts";

/** The document around each page provides the words. Without a document, they are English. */
export const WordsContext: ReturnType<typeof createContext<Words>> = createContext<Words>(english);

export function useWords(): Words {
  return useContext(WordsContext);
}

/** Returns the `lang` attribute of an English text, for example an error description, on a page in these words. */
export function langOfEnglish({ language }: Pick<Words, "language">): "en" | undefined {
  return language === "en" ? undefined : "en";
}
