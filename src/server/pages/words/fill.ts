/** Puts values into the placeholders of a text, and finds words by the name of what they explain. */

/**
 * A sentence such as "{client} would like to know who you are." with pieces that the page renders, for example an
 * emphasised name, a link or a code.
 */
export type Sentence<Piece> = (string | Piece)[];

/** The names of the placeholders of a text. Those of a translation are not known to the compiler. */
type Placeholder<Text extends string> = string extends Text ? string
  : Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest>
  : never;

/** Returns the pieces of a sentence, of which some are elements, for example a name or a link. */
export function fill<const Text extends string, Piece>(
  text: Text,
  pieces: Readonly<Record<Placeholder<Text>, Piece>>,
): Sentence<Piece> {
  const named: Readonly<Record<string, Piece>> = pieces;
  return text.split(/\{(\w+)\}/).map((part, at) => at % 2 === 0 ? part : named[part] ?? `{${part}}`);
}

export function fillText<const Text extends string>(
  text: Text,
  values: Readonly<Record<Placeholder<Text>, string | number>>,
): string {
  return fill<Text, string | number>(text, values).join("");
}

/** A Map, because a client may send any name, also `constructor`. */
export type ByName<Value = string> = ReadonlyMap<string, Value>;

export function byName<Value>(values: Readonly<Record<string, Value>>): ByName<Value> {
  return new Map(Object.entries(values));
}
