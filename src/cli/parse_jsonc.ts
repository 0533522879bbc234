/** Finds the first mistake in a JSON text. The runtimes' own messages differ, and some have no position. */

export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const blank = /[ \t\r\n]*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// deno-lint-ignore no-control-regex
const string = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** Follows RFC 8259. Returns `undefined` if the text is JSON. */
export function findJsonError(text: string): JsonError | undefined {
  let at = 0;
  let problem: string | undefined;

  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found !== undefined;
  }
  function takeSign(sign: string): boolean {
    take(blank);
    if (text[at] !== sign) return false;
    at++;
    return true;
  }
  function wrong(expected: string): false {
    problem ??= expected;
    return false;
  }
  function readValue(): boolean {
    if (takeSign("{")) return readMembers("}", readMember);
    if (takeSign("[")) return readMembers("]", readValue);
    if (text[at] === '"') {
      return take(string) || wrong("a string that ends on its line, with known escapes only");
    }
    return take(scalar) ||
      wrong(text.startsWith("//", at) || text.startsWith("/*", at) ? "no comment: JSON has none" : "a value");
  }
  function readMember(): boolean {
    take(blank);
    if (!take(string)) return wrong("a name in double quotes");
    return takeSign(":") ? readValue() : wrong('":" after the name');
  }
  function readMembers(end: string, read: () => boolean): boolean {
    if (takeSign(end)) return true;
    for (;;) {
      if (!read()) return false;
      if (takeSign(end)) return true;
      if (!takeSign(",")) return wrong(`"," or "${end}"`);
      take(blank);
      if (text[at] === end) return wrong(`no "," before "${end}"`);
    }
  }

  if (readValue()) {
    take(blank);
    if (at < text.length) wrong("nothing after the value");
  }
  if (problem === undefined) return undefined;
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, expected: problem };
}
