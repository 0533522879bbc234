/** Puts values into the placeholders of a text, and finds words by the name of what they explain. */

/** The names of the placeholders of a text. Those of a translation are not known to the compiler. */
type Placeholder<Text extends string> = string extends Text ? string
  : Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest>
  : never;

/** Returns the pieces of a sentence, of which some are elements, for example a name or a link. */
export function fill<const Text extends string, Piece>(
  text: Text,
  pieces: Readonly<Record<Placeholder<Text>, Piece>>,
): (string | Piece)[] {
  const named: Readonly<Record<string, Piece>> = pieces;
  return text.split(/\{(\w+)\}/).map((part, at) => at % 2 === 0 ? part : named[part] ?? `{${part}}`);
}

export function fillText<const Text extends string>(
  text: Text,
  values: Readonly<Record<Placeholder<Text>, string | number>>,
): string {
  return fill<Text, string | number>(text, values).join("");
}

/** Returns text such as "5 minutes" in the language of these words. */
export function formatCount(
  count: number,
  unit: "second" | "minute",
  { language }: { readonly language: string },
): string {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/** A Map, because a client may send any name, also `constructor`. */
export type ByName<Value = string> = ReadonlyMap<string, Value>;

export function byName<Value>(values: Readonly<Record<string, Value>>): ByName<Value> {
  return new Map(Object.entries(values));
}
