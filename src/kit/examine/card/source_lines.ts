/** Lines of source files: of the program that runs the client, and in the text of an error. */

import { decodePercent } from "../../../ground/http/address.ts";

/** A line of a source file. */
export interface SourceLine {
  /** A path, relative to the root of the repository or absolute. */
  readonly file: string;
  /** Begins with 1. */
  readonly line?: number;
}

const python = /File "([^"<>]+)", line (\d+)/g;
// Not part of a URL. Each run of characters has one place to begin, and others behind `C:\` and before `file:`.
const others =
  /(?:(?<![\w:@%+=.~/\\-])|(?<=:\\)|(?<=@)(?=file:))((?:file:\/\/)?[\w@%+=.~/\\-]+\.(?:[cm]?[jt]sx?|py|go|java|kt|rb|rs|php|cs)):(\d+)/g;
const mostFrames = 10;

/** Finds the frames of stack traces in the output of a program, each once, the innermost first. */
export function findFrames(text: string): readonly SourceLine[] {
  const read = (form: RegExp) =>
    [...text.matchAll(form)].map(([, path = "", line]) => ({ file: pathOf(path), line: Number(line) }));
  // Python prints the innermost frame last.
  const frames = [...read(python).reverse(), ...read(others)];
  return frames.filter(({ file, line }, index) =>
    index === frames.findIndex((each) => each.file === file && each.line === line)
  ).slice(0, mostFrames);
}

/** A stack may name a file by a part of its path. */
export function isInFile({ file: other }: SourceLine, { file }: SourceLine): boolean {
  return other === file || other.endsWith(`/${file}`) || file.endsWith(`/${other}`);
}

/** Returns the place of an error in the driver. */
export function findPlace(text: string, driver: SourceLine): SourceLine {
  const frame = findFrames(text).find((each) => isInFile(each, driver));
  return { ...driver, ...frame, file: driver.file };
}

/** Finds the line of a program that begins a login: the first that names it, besides comments and declarations. */
export function findLoginLine(program: string): number | undefined {
  const found = program.split("\n").findIndex((line) =>
    /authori[sz]|auth_?code|log_?in|sign_?in|authenticate/i.test(line) &&
    !/^\s*(?:[#/*]|--|@|(?:import|from|use|using|package|def|func|function|class|async|export|public|private) )/
      .test(line)
  );
  return found < 0 ? undefined : found + 1;
}

function pathOf(path: string): string {
  if (path.startsWith("file://") && URL.canParse(path)) {
    const { pathname } = new URL(path);
    return decodePercent(pathname) ?? pathname;
  }
  return path.replaceAll("\\", "/").replaceAll("%20", " ");
}

export function uriOf(path: string): string {
  const encoded = encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent);
  return path.startsWith("/") ? `file://${encoded}` : encoded;
}

/** Returns the place of the caller of the function that calls this one, by the stack of an error. */
export function findCaller(stack: string | undefined): SourceLine | undefined {
  const [, caller] = findFrames(stack ?? "");
  return caller;
}
