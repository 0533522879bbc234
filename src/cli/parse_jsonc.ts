/** Parses JSON (RFC 8259) with comments and trailing commas. The runtimes' own errors differ, and some have no position. */

const blank = /(?:[ \t\r\n]|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// deno-lint-ignore no-control-regex
const string = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** The first mistake in the text. */
export class JsonError extends SyntaxError {
  readonly line: number;
  readonly column: number;
  readonly expected: string;

  constructor(text: string, at: number, expected: string) {
    super(`expected ${expected}`);
    const before = text.slice(0, at).split("\n");
    this.line = before.length;
    this.column = (before.at(-1)?.length ?? 0) + 1;
    this.expected = expected;
  }
}

/** Returns the value, or throws a `JsonError`. */
export function parseJsonc(text: string): unknown {
  let at = 0;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  }
  function takeSign(sign: string): boolean {
    take(blank);
    if (text[at] !== sign) return false;
    at++;
    return true;
  }
  function fail(expected: string): never {
    // A comment with an end would have been skipped as a blank.
    throw new JsonError(text, at, text.startsWith("/*", at) ? '"*/" at the end of this comment' : expected);
  }
  function readValue(): unknown {
    if (takeSign("{")) return Object.fromEntries(readList("}", readMember));
    if (takeSign("[")) return readList("]", readValue);
    if (text[at] === '"') return readString("a string that ends on its line, with known escapes only");
    return JSON.parse(take(scalar) ?? fail("a value"));
  }
  function readString(expected: string): string {
    return JSON.parse(take(string) ?? fail(expected)) as string;
  }
  function readMember(): readonly [name: string, value: unknown] {
    const name = readString("a name in double quotes");
    if (!takeSign(":")) fail('":" after the name');
    return [name, readValue()];
  }
  function readList<T>(end: string, read: () => T): readonly T[] {
    const items: T[] = [];
    while (!takeSign(end)) {
      items.push(read());
      if (!takeSign(",") && text[at] !== end) fail(`"," or "${end}"`);
    }
    return items;
  }

  const value = readValue();
  take(blank);
  if (at < text.length) fail("nothing after the value");
  return value;
}
