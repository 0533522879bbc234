/** Creates the pages of the control plane. They are apart from those of the server, which has no control plane. */

import { controlPage, type ControlProps, controlRefusalPage, type ControlRefusalProps } from "./control.tsx";
import { createDocument } from "./document.tsx";
import { examinePage, type ExamineProps } from "./examine.tsx";
import { examineTokenPage, type ExamineTokenProps } from "./examine_token.tsx";
import { english } from "./words/english.ts";

export interface ControlPages {
  calls(props: ControlProps): string;
  refusal(props: ControlRefusalProps): string;
  examine(props: ExamineProps): string;
  examineToken(props: ExamineTokenProps): string;
}

export function createControlPages({ assetUrl }: {
  readonly assetUrl: (name: string) => string;
}): ControlPages {
  const document = createDocument({ assetUrl });
  return {
    calls: (props) => document(controlPage(props), english),
    refusal: (props) => document(controlRefusalPage(props), english),
    examineToken: (props) => document(examineTokenPage(props), english),
    examine: (props) => document(examinePage(props), english),
  };
}
