/** Puts values into the placeholders of a text: `{client}` in "{client} would like to know who you are." */

import type { Sentence } from "./sentence.ts";

/** Returns the pieces of a sentence, of which some are elements, for example a name or a link. */
export function fill<Piece>(text: string, pieces: Readonly<Record<string, Piece>>): Sentence<Piece> {
  return text.split(/\{(\w+)\}/).map((part, at) => at % 2 === 0 ? part : pieces[part] ?? `{${part}}`);
}

export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return fill(text, values).join("");
}
