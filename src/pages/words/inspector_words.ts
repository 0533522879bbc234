/** Chooses the words of the inspector. The pages of a sign-in do not load them. */

import type { Words } from "./english.ts";
import { type InspectorWords, inspectorWords } from "./inspector_english.ts";
import { useWords } from "./use_words.ts";

export function inspectorWordsIn(_words: Pick<Words, "language">): InspectorWords {
  return inspectorWords;
}

export function useInspectorWords(): InspectorWords {
  return inspectorWordsIn(useWords());
}
