/** Templates, words and comments: what the printers of all languages share. */

/**
 * Returns the text of a template without its indentation. The lines of a hole are indented as the line that it is in. A
 * line that has only an empty hole is left out.
 */
export function code(parts: TemplateStringsArray, ...holes: readonly (string | readonly string[])[]): string {
  const lines = parts.reduce((text, part, index) => `${text}\0${index - 1}\0${part}`).split("\n").slice(
    1,
    -1,
  );
  const margin = /^ */.exec(lines.find((line) => line !== "")!)![0].length;
  return lines.flatMap((line) => {
    const indent = /^ */.exec(line.slice(margin))![0];
    const filled = line.slice(margin).replace(
      /\0(\d+)\0/g,
      (_, index) => [holes[Number(index)]!].flat().join("\n").replace(/\n(?=.)/g, `\n${indent}`),
    );
    return filled.trim() === "" && line.trim() !== "" ? [] : [filled.replace(/ +$/gm, "")];
  }).join("\n");
}

/** Returns the words of a name in lower case: `userCode`, `user_code` and `UserCode` are user, code. */
export function wordsOf(name: string): readonly string[] {
  return name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z\d]+/).filter((word) =>
    word !== ""
  );
}

export function toPascal(name: string): string {
  return wordsOf(name).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

export function toCamel(name: string): string {
  const pascal = toPascal(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

export function toSnake(name: string): string {
  return wordsOf(name).join("_");
}

/** Writes a path with variables as texts and values that are joined by a plus: `"/gates/" + part(gate) + "/release"`. */
export function joinPath(path: string, write: (variable: string) => string): string {
  return `"${path.replace(/\{(\w+)\}/g, (_, each: string) => `" + ${write(each)} + "`)}"`.replace(
    / \+ ""$/,
    "",
  );
}

/** Returns the lines of a comment. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const forms =
  / ?(?:A number of seconds, or text such as|Seconds as a number, or text with|Seconds since 1970 as a number, or ISO)[^]*?"(?:-5m|1d 3h|2030-01-01T12:00:00Z)"\.|,? in seconds since 1970/g;

/** Leaves out how JSON writes a time or a duration, because a type of the language says it. */
export function withoutForms(comment: string): string {
  return comment.replace(forms, "");
}
