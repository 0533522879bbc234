/** Chooses the words of the pages of people and clients. The pages of a sign-in do not load them. */

import { type DirectoryWords, englishDirectory } from "./directory_english.ts";
import { germanDirectory } from "./directory_german.ts";
import type { Words } from "./english.ts";
import { useWords } from "./use_words.ts";

export function directoryWordsIn({ language }: Words): DirectoryWords {
  return language === "de" ? germanDirectory : englishDirectory;
}

export function useDirectoryWords(): DirectoryWords {
  return directoryWordsIn(useWords());
}
