/** Creates the pages of the control plane. They are apart from those of the server, which has no control plane. */

import type { PagesTerms } from "../oauth/pages.ts";
import { controlPage, type ControlProps, controlRefusalPage, type ControlRefusalProps } from "./control.tsx";
import { createDocument } from "./document.tsx";
import { languages } from "./words/languages.ts";
import { wordsIn } from "./words/words_in.ts";

export interface ControlPages {
  readonly languages: readonly [string, ...string[]];
  calls(props: ControlProps, language: string): string;
  refusal(props: ControlRefusalProps, language: string): string;
}

export function createControlPages(terms: Pick<PagesTerms, "assetUrl" | "frame">): ControlPages {
  const document = createDocument(terms);
  // A refusal has no frame, because it also answers people who may see nothing of the server.
  const plainDocument = createDocument({ assetUrl: terms.assetUrl });
  return {
    languages,
    calls(props, language) {
      const words = wordsIn(language);
      return document(controlPage(props, words), words);
    },
    refusal(props, language) {
      const words = wordsIn(language);
      return plainDocument(controlRefusalPage(props, words), words);
    },
  };
}
