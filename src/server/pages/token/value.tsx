/** The component that shows a value, or what is known about a secret. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ShownValue } from "./token_props.ts";
import { describeMoment } from "../time_text.ts";
import { visible } from "../visible.ts";
import { englishToken as words } from "../words/token_english.ts";

/** A value, or what is known about a secret. */
export function Value({ value }: { readonly value: ShownValue }): VNode {
  const { text, time } = value;
  const notes = [...listNotes(value), ...(time === undefined ? [] : [describeMoment(time)])];
  return (
    <>
      {text !== undefined && text !== "" && <code class="value">{visible(text)}</code>}
      {notes.length > 0 && <span class="note">{notes.join(", ")}</span>}
    </>
  );
}

/** Says what the page leaves out of a value. */
export function listNotes(
  { text, length, fingerprint, hasOuterSpace, cutFrom }: ShownValue,
): readonly string[] {
  return [
    ...(text === undefined
      ? [length === undefined ? words.secret.hidden : words.secret.hiddenLength(length)]
      : []),
    ...(text === undefined && fingerprint !== undefined ? [words.secret.fingerprint(fingerprint)] : []),
    ...(hasOuterSpace ? [words.secret.outerSpace] : []),
    ...(cutFrom === undefined ? [] : [words.secret.cut(cutFrom)]),
    ...(text === "" ? [words.secret.empty] : []),
  ];
}
