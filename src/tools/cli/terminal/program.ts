/** Finds how the user started this program, so that a message can name a command to type. */

import { realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { quoteWord } from "../../../ground/values/quote_word.ts";

interface Start {
  readonly entry: string;
  /** The file of the runtime, or of an executable that contains the program. */
  readonly executable: string;
  /** The executable as it was typed. */
  readonly typed: string;
}

function readStart(): Start {
  const { argv: [, entry = ""], execPath: executable, argv0: typed } = process;
  return { entry, executable, typed };
}

/** Whether the program runs from its sources. A task then runs in their folder, wherever the user is. */
export function runsAsTask({ entry }: Pick<Start, "entry"> = readStart()): boolean {
  return /[\\/]src[\\/]tools[\\/]cli[\\/]main\.ts$/.test(entry);
}

/** Returns the folder of the sources, if the program runs from them. */
export function findCheckout(start: Start = readStart()): string | undefined {
  return runsAsTask(start) ? resolve(dirname(start.entry), "../../..") : undefined;
}

/** Returns the words before the name of a command that work as this process was started. */
export function nameProgram(start: Start = readStart()): string {
  const [program = "", ...others] = listProgramWords(start);
  const words = others.map((word) => quoteWord(word, "all"));
  // PowerShell does not run what is between quotes.
  return quoteWord(program, "all") === program && !words.includes(undefined)
    ? [program, ...words].join(" ")
    : "postern";
}

/** Returns the same words without quotes, for a program that no shell starts. */
export function listProgramWords(start: Start = readStart()): readonly string[] {
  const { entry, executable, typed } = start;
  // npx keeps the programs that it fetched in this folder. They are not on the PATH.
  if (runsAsTask(start)) return [...(isOfNpx(executable) ? ["npx", "-y"] : []), "deno", "task"];
  const [, runtime] = /(?:^|[\\/])(node|deno|bun)[^\\/]*$/.exec(executable) ?? [];
  if (runtime === undefined) return [slashed(typed)];
  if (isOfNpx(entry)) return ["npx", findFetched(entry)];
  if (/[\\/]node_modules[\\/]/.test(entry) && /[\\/]\.bin[\\/]|cli\.js$/.test(entry)) {
    return [runtime === "bun" ? "bunx" : "npx", "postern"];
  }
  return /[\\/]cli\.js$/.test(entry) ? [runtime, fromHere(entry)] : ["postern"];
}

/** The same for a file whose reader may start it in any folder. The task of a checkout runs in its folder only. */
export function listWordsForAnyFolder(start: Start = readStart()): readonly string[] {
  const checkout = findCheckout(start);
  const words = listProgramWords(start);
  return checkout === undefined ? words : [...words, "--quiet", "--config", join(checkout, "deno.json")];
}

function isOfNpx(path: string): boolean {
  return /[\\/]_npx[\\/]/.test(path);
}

/** npx links to a package that the user named by its folder, and copies any other. */
function findFetched(entry: string): string {
  const folder = dirname(realpathSync(entry));
  return /[\\/]node_modules[\\/]/.test(folder) ? "postern" : fromHere(folder);
}

/** Returns the path from the folder of the user. It begins with a dot, so that it is no name of a package. */
function fromHere(path: string): string {
  const near = relative(process.cwd(), path);
  return slashed(near.startsWith("..") ? near : `.${sep}${near}`);
}

/** A POSIX shell on Windows does not read a backslash in a path, and all programs read a slash. */
function slashed(path: string): string {
  return path.replaceAll(sep, "/");
}
