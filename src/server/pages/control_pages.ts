/** Creates the pages of the control plane. They are apart from those of the server, which has no control plane. */

import type { PagesTerms } from "./pages_terms.ts";
import { controlPage, type ControlProps, controlRefusalPage, type ControlRefusalProps } from "./control.tsx";
import { createDocument } from "./document.tsx";
import { english } from "./words/english.ts";

export interface ControlPages {
  calls(props: ControlProps): string;
  refusal(props: ControlRefusalProps): string;
}

export function createControlPages(terms: Pick<PagesTerms, "assetUrl" | "frame">): ControlPages {
  const document = createDocument(terms);
  // A refusal has no frame, because it also answers people who may see nothing of the server.
  const plainDocument = createDocument({ assetUrl: terms.assetUrl });
  return {
    calls: (props) => document(controlPage(props), english),
    refusal: (props) => plainDocument(controlRefusalPage(props), english),
  };
}
