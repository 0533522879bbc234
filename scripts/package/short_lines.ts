/** Breaks the lines of a script in front of statements, because Node prints the line of an error that nothing catches. */
import { parseAst } from "rolldown/parseAst";

/** A longer line ends in front of the next statement. */
const longLine = 160;

export function inShortLines(text: string): string {
  let broken = "", at = 0;
  for (const start of listStatements(parseAst(text))) {
    const begun = Math.max(at, text.lastIndexOf("\n", start - 1) + 1);
    if (start - begun <= longLine) continue;
    broken += `${text.slice(at, start)}\n`;
    at = start;
  }
  return `${broken}${text.slice(at)}`;
}

/** Returns where the statements of blocks, and the members of classes, start, in order. */
function listStatements(node: object, found: number[] = []): readonly number[] {
  for (const [name, value] of Object.entries(node)) {
    if (Array.isArray(value)) {
      for (const each of value) {
        if (typeof each !== "object" || each === null) continue;
        if (name === "body") found.push(each.start);
        listStatements(each, found);
      }
    } else if (typeof value === "object" && value !== null) {
      listStatements(value, found);
    }
  }
  return found;
}
