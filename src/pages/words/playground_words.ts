/** Chooses the words of the playground. The pages of a sign-in do not load them. */

import type { Words } from "./english.ts";
import { englishPlayground, type PlaygroundWords } from "./playground_english.ts";
import { germanPlayground } from "./playground_german.ts";
import { useWords } from "./use_words.ts";

export function playgroundWordsIn({ language }: Words): PlaygroundWords {
  return language === "de" ? germanPlayground : englishPlayground;
}

export function usePlaygroundWords(): PlaygroundWords {
  return playgroundWordsIn(useWords());
}
