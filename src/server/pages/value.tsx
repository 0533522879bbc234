/** Shows a value, or what is known about a secret, and writes points in time for people. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { formatDuration } from "../../ground/schema/duration.ts";
import type { ShownValue } from "./token/token_props.ts";
import { visible } from "../../ground/values/visible.ts";
import { englishToken as words } from "./words/token_english.ts";

export function Value({ value }: { readonly value: ShownValue }): VNode {
  const { text } = value;
  const notes = describeNotes(value);
  return (
    <>
      {text !== undefined && text !== "" && <code class="value">{visible(text)}</code>}
      {notes !== "" && <span class="note">{notes}</span>}
    </>
  );
}

/** Says what the page leaves out of a value, if it shows a part of it, and when a time is. */
export function describeNotes(value: ShownValue, isPart = true): string {
  const { time } = value;
  const notes = isPart ? listNotes(value) : [];
  return [...notes, ...(time === undefined ? [] : [describeMoment(time)])].join(", ");
}

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

/** Returns text such as "2027-01-15 08:00:00 UTC". */
export function describeMoment(seconds: number): string {
  const date = new Date(Math.round(seconds * 1000));
  return Number.isNaN(date.getTime()) ? "?" : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Returns text such as "in 42 min", "3 d 4 h ago" or "now". */
export function describeDistance(seconds: number): string {
  if (Math.abs(seconds) < 1) return words.now;
  const duration = formatDuration(seconds);
  return seconds < 0 ? words.ago(duration) : words.ahead(duration);
}
