/** Says why a page changes nothing. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { WhyReadOnly } from "./words/english.ts";
import { useWords } from "./words/use_words.ts";
import { fill } from "./words/fill.ts";

/** What a person or a program writes to allow changes. */
const settings: Readonly<Record<WhyReadOnly, string>> = {
  needs_flag: "--control",
  needs_option: "change: true",
  never: "--control",
};

export function ReadOnly({ why }: { readonly why: WhyReadOnly }): VNode {
  const { readOnly } = useWords();
  return <>{fill(readOnly[why], { setting: <code>{settings[why]}</code> })}</>;
}
