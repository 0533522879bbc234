/** Chooses the words of the inspector. The pages of a sign-in do not load them. */

import type { Words } from "./english.ts";
import { englishInspector, type InspectorWords } from "./inspector_english.ts";
import { germanInspector } from "./inspector_german.ts";
import { useWords } from "./use_words.ts";

export function inspectorWordsIn({ language }: Pick<Words, "language">): InspectorWords {
  return language === "de" ? germanInspector : englishInspector;
}

export function useInspectorWords(): InspectorWords {
  return inspectorWordsIn(useWords());
}
