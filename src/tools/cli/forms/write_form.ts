/**
 * Writes a printed form: fills in its file in `printed/` or `drivers/`. Such a file is a program in its own language, with
 * two kinds of marks:
 *
 * - `__ISSUER__` stands for a text. A line with a list is written once for each item, and left out without one.
 * - `#: if none`, `#: else if not secret`, `#: else` and `#: end`, or the same after `//:`, are lines of their own around
 *   what is written for some clients or servers only. A block may contain blocks.
 *
 * An unknown name is an error, also in a block that is left out.
 */

/** Texts and lists are in capitals. They are written as they are, so they must be quoted for the language of the file. */
export type FormValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** Returns nothing if the language has no form for the text that all of its readers read as this text. */
export type WriteText = (text: string) => string | undefined;

/** Returns what is written in place of a line with a text that is `undefined`. */
type LeaveOut = (line: string) => string;

interface Block {
  readonly isWritten: boolean;
  /** This branch of the block is written, or one before it. */
  readonly isDecided: boolean;
}

const markLine = /^\s*(?:#|\/\/): (.*)/;
const blockMark = /^(?:(else|end)|((?:else )?if) (not )?([a-z\d_]+))$/;
const textMark = /__[A-Z]+(?:_[A-Z]+)*__/g;

export function writeForm(
  file: string,
  values: FormValues,
  leaveOut: LeaveOut = refuse,
): readonly string[] {
  const lines: string[] = [];
  // From the outside to the inside.
  const blocks: Block[] = [];
  for (const line of file.trimEnd().split(/\r?\n/)) {
    const [, mark] = markLine.exec(line) ?? [];
    if (mark === undefined) {
      const filled = fillIn(line, values);
      if (blocks.every(({ isWritten }) => isWritten)) lines.push(...filled ?? [leaveOut(line)]);
      continue;
    }
    const [, plain, condition, not, name] = blockMark.exec(mark) ?? [];
    const word = plain ?? condition;
    if (word === undefined) throw new Error(`Unknown mark of a printed form: ${mark}`);
    const before = word === "if" ? { isDecided: false } : blocks.pop();
    if (before === undefined) throw new Error(`A printed form has no block before: ${mark}`);
    if (word === "end") continue;
    const isWritten = (name === undefined || readFlag(name, values) !== (not !== undefined)) &&
      !before.isDecided;
    blocks.push({ isWritten, isDecided: isWritten || before.isDecided });
  }
  if (blocks.length > 0) throw new Error("A block of a printed form has no end");
  return lines;
}

function refuse(line: string): never {
  throw new Error(`A text of a printed form is missing: ${line}`);
}

/** Returns nothing if one of the texts is `undefined`. */
function fillIn(line: string, values: FormValues): readonly string[] | undefined {
  if (!line.includes("__")) return [line];
  const texts = (line.match(textMark) ?? []).map((mark) => readText(mark, values));
  if (texts.includes(undefined)) return undefined;
  const items = texts.find((each) => typeof each !== "string") ?? [""];
  return items.map((item) =>
    line.replace(textMark, (mark) => {
      const text = readText(mark, values);
      return typeof text === "string" ? text : item;
    })
  );
}

function readFlag(name: string, values: FormValues): boolean {
  const flag = values[name];
  if (typeof flag !== "boolean") throw new Error(`Unknown flag of a printed form: ${name}`);
  return flag;
}

function readText(mark: string, values: FormValues): string | readonly string[] | undefined {
  const name = mark.slice(2, -2), text = values[name];
  if (!Object.hasOwn(values, name) || typeof text === "boolean") {
    throw new Error(`Unknown text of a printed form: ${mark}`);
  }
  return text;
}
