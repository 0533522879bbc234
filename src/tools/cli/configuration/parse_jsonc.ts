/** Parses JSON (RFC 8259) with comments and trailing commas. The runtimes' own errors differ, and some have no position. */

// Plain characters have a repetition of their own, because Bun gives up a long repetition of alternatives.
const blank = /[ \t\r\n]*(?:(?:\/\/[^\r\n]*(?:[\r\n]|$)|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)[ \t\r\n]*)*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// deno-lint-ignore no-control-regex
const string = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"/y;

// Parsing uses the stack, which is small on some runtimes.
const deepest = 200;

/** Both begin with 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export function positionOf(text: string, at: number): Position {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

export class JsonError extends SyntaxError {
  readonly position: Position;

  constructor(text: string, at: number, expected: string) {
    super(`expected ${expected}`);
    this.position = positionOf(text, at);
  }
}

/** Where each value begins in the text, by the names and indexes that lead to the value, as JSON. */
export type Offsets = Map<string, number>;

/** Adds the offset of each value to `offsets`. */
export function parseJsonc(text: string, offsets?: Offsets): unknown {
  let at = 0;
  let depth = 0;

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
  function readValue(path: readonly string[]): unknown {
    take(blank);
    offsets?.set(JSON.stringify(path), at);
    if (takeSign("{")) return Object.fromEntries(readMembers(path));
    if (takeSign("[")) return readList("]", (index) => readValue([...path, `${index}`]));
    if (text[at] === '"') return readString("a string that ends on its line, with known escapes only");
    return JSON.parse(take(scalar) ?? fail("a value"));
  }
  function readString(expected: string): string {
    return JSON.parse(take(string) ?? fail(expected)) as string;
  }
  function readMembers(path: readonly string[]): ReadonlyMap<string, unknown> {
    const members = new Map<string, unknown>();
    readList("}", () => {
      const nameAt = at;
      const name = readString("a name in double quotes");
      // RFC 8259 §4. If the last one won, a part that is added to a file would replace another part without a word.
      if (members.has(name)) {
        at = nameAt;
        fail(`another name: ${JSON.stringify(name)} is in this object already`);
      }
      if (!takeSign(":")) fail('":" after the name');
      members.set(name, readValue([...path, name]));
    });
    return members;
  }
  function readList<T>(end: string, read: (index: number) => T): readonly T[] {
    const items: T[] = [];
    if (++depth > deepest) fail(`at most ${deepest} objects and lists inside of each other`);
    while (!takeSign(end)) {
      items.push(read(items.length));
      if (!takeSign(",") && text[at] !== end) fail(`"," or "${end}"`);
    }
    depth--;
    return items;
  }

  const value = readValue([]);
  take(blank);
  if (at < text.length) fail("nothing after the value");
  return value;
}
