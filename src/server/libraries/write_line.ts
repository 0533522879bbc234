/** Writes a line for a library in a sentence, with what it is added to. */

export function writeLine(line: string, into: string | undefined): string {
  return into === undefined ? line : `add ${line} to ${into}`;
}
