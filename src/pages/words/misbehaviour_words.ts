/** Chooses the words of the pages on which the server is made wrong. The pages of a sign-in do not load them. */

import type { Words } from "./english.ts";
import { englishMisbehaviours, type MisbehaviourWords } from "./misbehaviours_english.ts";
import { germanMisbehaviours } from "./misbehaviours_german.ts";
import { useWords } from "./use_words.ts";

export function misbehaviourWordsIn({ language }: Words): MisbehaviourWords {
  return language === "de" ? germanMisbehaviours : englishMisbehaviours;
}

export function useMisbehaviourWords(): MisbehaviourWords {
  return misbehaviourWordsIn(useWords());
}
