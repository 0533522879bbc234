/** Chooses the words of the pages of the control plane. Other pages do not load them. */

import { type ControlWords, englishControl } from "./control_english.ts";
import { germanControl } from "./control_german.ts";
import type { Words } from "./english.ts";
import { useWords } from "./use_words.ts";

export function controlWordsIn({ language }: Words): ControlWords {
  return language === "de" ? germanControl : englishControl;
}

export function useControlWords(): ControlWords {
  return controlWordsIn(useWords());
}
