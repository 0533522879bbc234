/** A mutant: a source file with one mistake. */

/** A place in a file: the line, from 1, and the column, from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Range {
  readonly start: Place;
  readonly end: Place;
}

export interface Mutant extends Range {
  /** The number that switches it on. */
  readonly id: string;
  readonly file: string;
  /** What is done: "EqualityOperator". */
  readonly kind: string;
  readonly before: string;
  readonly after: string;
  /** The name of the innermost function around it: see `nameFunction`. */
  readonly within?: string;
  /** Its code runs when the module is loaded, before a test. */
  readonly runsAtLoad: boolean;
}

/** Returns the text of the file with the mistake. */
export function applyMutant(text: string, { start, end, after }: Mutant): string {
  return text.slice(0, offsetOf(text, start)) + after + text.slice(offsetOf(text, end));
}

export function textIn(text: string, { start, end }: Range): string {
  return text.slice(offsetOf(text, start), offsetOf(text, end));
}

export function offsetOf(text: string, { line, column }: Place): number {
  let offset = 0;
  for (let at = 1; at < line; at++) offset = text.indexOf("\n", offset) + 1;
  return offset + column;
}

export function includes(outer: Range, inner: Range): boolean {
  return isBefore(outer.start, inner.start) && isBefore(inner.end, outer.end);
}

const isBefore = (one: Place, other: Place) =>
  one.line < other.line || one.line === other.line && one.column <= other.column;

/** Whether both are the same mistake at the same place. Their numbers may differ. */
export function isSame(one: Mutant, other: Mutant): boolean {
  return one.file === other.file && one.kind === other.kind && one.after === other.after &&
    includes(one, other) && includes(other, one);
}

/** Whether the mutant is of a kind, or of source that begins with a text. */
export function isOf({ kind, before }: Mutant, kindOrText: string): boolean {
  return kind === kindOrText || before.startsWith(kindOrText);
}

/** A function by its file and the text of the line at which its body begins, which stays when lines are added above. */
export function nameFunction(file: string, text: string, line: number): string {
  return `${file}\n${text.split("\n")[line - 1]!.trim()}`;
}
